import type { SyncRunError } from "@shared/sync.ts";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { type ErrorGroup, groupErrors } from "./run-facts";

const SHOWN = 4;
const SHOWN_PLACES = 6;

/** What went wrong and where, each sentence once; the server's sentences say what to do. */
export function RunErrors({ errors }: { errors: readonly SyncRunError[] }) {
  const [isWhole, setWhole] = useState(false);
  const groups = groupErrors(errors);
  if (groups.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <ul aria-label="同步问题" className="grid gap-1.5">
        {(isWhole ? groups : groups.slice(0, SHOWN)).map((group) => (
          <ErrorLine key={group.message} group={group} />
        ))}
      </ul>
      {groups.length > SHOWN && !isWhole ? (
        <Button variant="ghost" size="sm" className="w-fit" onClick={() => setWhole(true)}>
          显示其余 {groups.length - SHOWN} 条
        </Button>
      ) : null}
    </div>
  );
}

function ErrorLine({ group }: { group: ErrorGroup }) {
  const { places, isHeld } = group;
  const more = places.length - SHOWN_PLACES;
  return (
    <li className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning-ink" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {places.length > 0 ? (
          <p className="font-medium text-warning-ink" title={more > 0 ? places.join("、") : undefined}>
            {places.slice(0, SHOWN_PLACES).join("、")}
            {more > 0 ? ` 等 ${places.length} 处` : ""}
          </p>
        ) : null}
        <p>
          {isHeld ? (
            <Badge tone="warning" className="mr-1.5 border">
              暂缓移除
            </Badge>
          ) : null}
          {group.message}
        </p>
      </div>
    </li>
  );
}
