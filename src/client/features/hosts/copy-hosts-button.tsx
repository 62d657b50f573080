import { chargeTypeLabel, HOST_STATUS_LABELS, type Host } from "@shared/hosts.ts";
import { MAX_PAGE_SIZE } from "@shared/page.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { tabbedText } from "@shared/spreadsheet.ts";
import { ClipboardCopy } from "lucide-react";
import { type MouseEvent, useState } from "react";
import { toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { hostSize, hostTitle, shownExpiry } from "@/components/hosts/host-facts";
import { Button } from "@/components/ui/button";
import { copyText } from "@/lib/copy-text";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { useCurrentUser } from "@/session/session";
import { type HostSearch, readHosts } from "./host-search";

const MAX_ROWS = 1000;

/** Puts all hosts of the filtered list on the clipboard, as a table for a spreadsheet or a mail. */
export function CopyHostsButton({ search, total }: { search: HostSearch; total: number }) {
  const { role } = useCurrentUser();
  const { client } = trpc.useUtils();
  const [isReading, setReading] = useState(false);
  const count = Math.min(total, MAX_ROWS);

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    setReading(true);
    try {
      const pages = Array.from({ length: Math.ceil(count / MAX_PAGE_SIZE) }, (_, index) =>
        readHosts(client, role, { ...search.input, page: index + 1, limit: MAX_PAGE_SIZE }),
      );
      const hosts = (await Promise.all(pages)).flat();
      const isCopied = await copyText(tableText(hosts, role), currentTarget);
      if (isCopied) notify.success("已复制", { message: resultText(hosts.length, total) });
      else notify.error("复制失败", { message: "浏览器不允许写入剪贴板" });
    } catch (error) {
      toastError("复制失败", error);
    } finally {
      setReading(false);
    }
  }

  return (
    <Button
      variant="outline"
      aria-label="复制为表格"
      title={`复制符合条件的 ${formatNumber(count)} 台主机，可粘贴到表格或邮件`}
      loading={isReading}
      onClick={copy}
    >
      <ClipboardCopy />
      <span className="max-xl:sr-only">复制为表格</span>
    </Button>
  );
}

function resultText(copied: number, total: number): string {
  const rest = total > copied ? `，共 ${formatNumber(total)} 台，其余未复制` : "";
  return `${formatNumber(copied)} 台主机${rest}`;
}

interface CopiedColumn {
  readonly header: string;
  readonly cell: (host: Host) => string;
}

function tableText(hosts: readonly Host[], role: Role): string {
  const columns = copiedColumns(role);
  const head = columns.map(({ header }) => header);
  const rows = hosts.map((host) => columns.map(({ cell }) => cell(host)));
  return tabbedText([head, ...rows]);
}

function copiedColumns(role: Role): CopiedColumn[] {
  const name = { header: "主机", cell: hostTitle };
  const id = { header: "资源 ID", cell: ({ ucloudId }: Host) => ucloudId };
  const end = {
    header: isClient(role) ? "我的到期时间" : "云端到期",
    cell: (host: Host) => dateText(shownExpiry(role, host)),
  };
  if (isClient(role)) return [name, id, end, ...DESCRIPTION];
  return [name, id, USERS, USER_ENDS, end, ...DESCRIPTION];
}

const USERS: CopiedColumn = {
  header: "分配用户",
  cell: ({ users }) => users.map((user) => user.name).join("、"),
};
const USER_ENDS: CopiedColumn = {
  header: "用户到期",
  cell: ({ users }) => users.map((user) => formatDate(user.assignedExpireTime)).join("、"),
};
const DESCRIPTION: readonly CopiedColumn[] = [
  {
    header: "状态",
    cell: ({ status, goneAt }) => (goneAt === null ? HOST_STATUS_LABELS[status] : "已消失"),
  },
  { header: "可用区", cell: ({ zoneName }) => zoneName },
  { header: "规格", cell: hostSize },
  { header: "IP", cell: ({ ipSet }) => ipSet.map(({ IP }) => IP).join("、") },
  { header: "计费", cell: ({ chargeType }) => chargeTypeLabel(chargeType) },
];

function dateText(seconds: number | null): string {
  return seconds === null ? "" : formatDate(seconds);
}
