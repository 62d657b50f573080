import type { Renewal } from "@shared/renewals.ts";
import { Clock } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { useNow } from "@/lib/use-now";
import { type Waiting, waitingSince } from "./waiting";

type WaitingNoteProps = {
  renewal: Renewal;
  /** Measured against the promise, for those who gave it; a client only reads how long it has been. */
  isJudged: boolean;
};

/** The age of a pending request; nothing for the others. */
export function WaitingNote({ renewal, isJudged }: WaitingNoteProps) {
  const now = useNow();
  if (renewal.status !== "pending") return null;
  const { state, text } = waitingSince(renewal.createdAt, now);
  return (
    <Badge tone={isJudged ? tones[state] : "neutral"}>
      <Clock aria-hidden="true" />
      {isJudged && state === "overdue" ? `已超时，等待 ${text}` : `已等待 ${text}`}
    </Badge>
  );
}

const tones = { fresh: "neutral", due: "warning", overdue: "danger" } as const satisfies Record<
  Waiting["state"],
  string
>;
