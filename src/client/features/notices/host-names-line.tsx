import type { Notice } from "@shared/notices.ts";
import { Fragment } from "react";
import { MiddleCut } from "@/components/middle-cut";
import { formatNumber } from "@/lib/format-number";
import { firstHostNames } from "./first-host-names";

/** `web-01、web-02 等 11 台` in one line: the names are cut where it has no room for them. */
export function HostNamesLine({ notice }: { notice: Pick<Notice, "items" | "hostCount"> }) {
  const first = firstHostNames(notice);
  if (first === null) return null;

  const { names, total } = first;

  return (
    <span className="flex min-w-0 text-sm whitespace-pre">
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two hosts may have the same name
        <Fragment key={index}>
          {index === 0 ? null : <span>、</span>}
          <MiddleCut text={name} />
        </Fragment>
      ))}
      {total === null ? null : <span>{` 等 ${formatNumber(total)} 台`}</span>}
    </span>
  );
}
