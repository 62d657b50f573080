import type { Notice, NoticeType } from "@shared/notices.ts";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useLiveEvent } from "@/api/live-updates";
import { trpc } from "@/api/trpc";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { HostNamesLine } from "./host-names-line";
import { NEWEST_NOTICE } from "./use-unread-count";

type Arrived = Pick<Notice, "id" | "type" | "severity" | "title">;

/** Notices that arrive within this time are told of by one toast. */
const PAUSE_MS = 1_000;
/** What these tell of has a toast of its own. */
const TOLD_ELSEWHERE: readonly NoticeType[] = ["renewal.rejected", "security.password_changed"];

/**
 * Shows a toast for urgent notices that arrive while the window is in sight. The reminders of a day
 * arrive together, and the notice of a batch is written anew while the batch goes on: of all that
 * arrives within a moment there is one toast, and the next takes its place. The event names no
 * hosts: those of one notice are in the list that the bell has read by then. Renders nothing.
 */
export function NoticeToasts() {
  const [pathname, navigate] = useLocation();
  const utils = trpc.useUtils();
  const arrived = useRef(new Map<string, Arrived>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function showToast(): void {
    const notices = [...arrived.current.values()];
    arrived.current.clear();

    const [first] = notices;
    if (first === undefined || document.hidden) return;

    const [newest] = utils.notices.list.getData(NEWEST_NOTICE)?.notices ?? [];
    const isAlone = notices.length === 1 && newest?.id === first.id && newest.items.length > 0;
    const more = notices.length > 1 ? ` 等 ${formatNumber(notices.length)} 条通知` : "";
    notify.warning(`${first.title}${more}`, {
      id: "notices",
      message: isAlone ? <HostNamesLine notice={newest} /> : undefined,
      action: { label: "查看", onClick: () => navigate("/notices") },
    });
  }

  useLiveEvent(({ type, data }) => {
    if (type !== "notice.created" || pathname === "/notices" || !isUrgent(data)) return;

    if (arrived.current.size === 0) timer.current = setTimeout(showToast, PAUSE_MS);
    arrived.current.set(data.id, data);
  });
  return null;
}

function isUrgent({ type, severity }: Arrived): boolean {
  return severity !== "info" && !TOLD_ELSEWHERE.includes(type);
}
