import type { Renewal } from "@shared/renewals.ts";
import { GapText } from "@/components/hosts/gap-text";
import { hostTitle } from "@/components/hosts/host-facts";
import { Badge } from "@/components/ui/badge";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "@/components/ui/table";
import { cn } from "@/lib/cn";
import { formatDate } from "@/lib/format";
import { useExtension } from "./use-extension";

type ExtensionTableProps = {
  renewals: readonly Renewal[];
  /** False where the ends stay as they are: then only the present ones are shown. */
  isExtended: boolean;
};

/** What a decision about several requests means for each: days, present end and the one to come. */
export function ExtensionTable({ renewals, isExtended }: ExtensionTableProps) {
  return (
    <div className="max-h-80 overflow-y-auto rounded-md border">
      <Table label="所选的续费申请" density="compact">
        {/* It sticks to the box around the table, not below the bar at the top of the page. */}
        <TableHeader className="top-0">
          <tr>
            <TableHead>申请人与主机</TableHead>
            <TableHead className="text-right">天数</TableHead>
            <TableHead className={isExtended ? BESIDE_NEW_END : ""}>当前到期</TableHead>
            {isExtended ? <TableHead>续费后到期</TableHead> : null}
          </tr>
        </TableHeader>
        <TableBody>
          {renewals.map((renewal) => (
            <ExtensionRow key={renewal.id} renewal={renewal} isExtended={isExtended} />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

/** On a phone the present end stands below the one to come. */
const BESIDE_NEW_END = "max-sm:hidden";

type ExtensionRowProps = Pick<ExtensionTableProps, "isExtended"> & { renewal: Renewal };

function ExtensionRow({ renewal, isExtended }: ExtensionRowProps) {
  const { user, host, requestedDuration, assignedExpireTime } = renewal;
  return (
    <TableRow className="text-sm">
      <TableCell className="w-full max-w-0 min-w-28">
        <p className="truncate font-medium" title={user.name}>
          {user.name}
        </p>
        <p className="truncate text-muted-foreground" title={`${hostTitle(host)} ${host.ucloudId}`}>
          {hostTitle(host)}
        </p>
      </TableCell>
      <TableCell className="text-right whitespace-nowrap tabular-nums">
        {requestedDuration} 天
      </TableCell>
      <TableCell className={cn("whitespace-nowrap tabular-nums", isExtended && BESIDE_NEW_END)}>
        {formatDate(assignedExpireTime)}
      </TableCell>
      {isExtended ? (
        <TableCell className="whitespace-nowrap tabular-nums">
          <ExtendedEnd renewal={renewal} />
        </TableCell>
      ) : null}
    </TableRow>
  );
}

/** With what the provider has against it: the host is gone there, or ends sooner. */
function ExtendedEnd({ renewal }: { renewal: Renewal }) {
  const { end, host, isGone } = useExtension(renewal);
  if (isGone) return <Badge tone="danger">主机已消失</Badge>;

  return (
    <>
      <p className="font-medium">{formatDate(end)}</p>
      <p className="text-xs text-muted-foreground sm:hidden">
        {`现为 ${formatDate(renewal.assignedExpireTime)}`}
      </p>
      {host === undefined ? null : <GapText host={host} until={end} />}
    </>
  );
}
