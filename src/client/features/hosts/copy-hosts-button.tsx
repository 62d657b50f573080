import type { Host } from "@shared/hosts.ts";
import { isClient, type Role } from "@shared/roles.ts";
import { ClipboardCopy } from "lucide-react";
import { useRef, useState } from "react";
import { toastError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { type ExportRequest, useExport } from "@/components/export/use-export";
import type { HostColumn } from "@/components/hosts/host-columns";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { copyText } from "@/lib/copy-text";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import { readFirst } from "@/lib/read-pages";
import { useIsMediumScreen } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";
import { type HostSearch, readHosts } from "./host-search";

const MAX_ROWS = 1000;

type CopyHostsButtonProps = {
  search: HostSearch;
  total: number;
  /** Those that are shown. */
  columns: readonly HostColumn[];
  /** The chosen hosts; without any, all that match the filters are copied. */
  chosen: readonly Host[];
  /** On a phone the export has no button of its own. */
  exportRequest: ExportRequest;
};

/**
 * Puts hosts on the clipboard for a spreadsheet or a mail: as the table shows them, or what their
 * users have.
 */
export function CopyHostsButton(props: CopyHostsButtonProps) {
  const { role } = useCurrentUser();
  const trigger = useRef<HTMLButtonElement>(null);
  const { isReading, copyTable, copyUses } = useCopyHosts(props, trigger);
  const exportList = useExport();
  const isMedium = useIsMediumScreen();
  const hasMenu = !isClient(role) || !isMedium;
  const count = props.chosen.length;

  const button = (
    <Button
      ref={trigger}
      variant="outline"
      loading={isReading}
      {...(hasMenu ? {} : { onClick: copyTable })}
    >
      <ClipboardCopy />
      {count === 0 ? (
        <span className="max-xl:sr-only">{labelOfAll(role, isMedium)}</span>
      ) : (
        <span>{`复制 ${formatNumber(count)} 台`}</span>
      )}
    </Button>
  );
  if (!hasMenu) return button;

  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{button}</DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem trailing="显示的列" onSelect={copyTable}>
          复制为表格
        </DropdownMenuItem>
        {isClient(role) ? null : (
          <DropdownMenuItem trailing="主机、规格、开始、到期" onSelect={copyUses}>
            复制给用户
          </DropdownMenuItem>
        )}
        {isMedium ? null : (
          <DropdownMenuItem
            trailing="CSV 文件"
            onSelect={() => void exportList(props.exportRequest)}
          >
            {`导出全部 ${formatNumber(props.total)} 台`}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function labelOfAll(role: Role, isMedium: boolean): string {
  if (!isMedium) return "复制或导出";
  return isClient(role) ? "复制为表格" : "复制";
}

function useCopyHosts(
  { search, total, columns, chosen }: CopyHostsButtonProps,
  near: { current: HTMLElement | null },
) {
  const { role } = useCurrentUser();
  const utils = trpc.useUtils();
  const [isReading, setReading] = useState(false);

  async function readCopied(): Promise<readonly Host[]> {
    if (chosen.length > 0) return chosen;
    return readFirst(Math.min(total, MAX_ROWS), (paging) =>
      readHosts(utils.client, role, { ...search.input, ...paging }),
    );
  }

  /** What is not copied, if anything. */
  function restOf(copied: readonly Host[]): string {
    const isPart = chosen.length === 0 && total > copied.length;
    return isPart ? `，共 ${formatNumber(total)} 台，其余未复制` : "";
  }

  async function put(text: string, message: string): Promise<void> {
    const isCopied = near.current !== null && (await copyText(text, near.current));
    if (isCopied) notify.success("已复制", { message });
    else notify.error("复制失败", { message: "浏览器不允许写入剪贴板" });
  }

  async function act(copy: (hosts: readonly Host[]) => Promise<void>): Promise<void> {
    setReading(true);
    try {
      await copy(await readCopied());
    } catch (error) {
      toastError("复制失败", error);
    } finally {
      setReading(false);
    }
  }

  async function putTable(hosts: readonly Host[]): Promise<void> {
    const { hostsText } = await import("./copied-text");
    const hasAccounts = columns.some(({ id }) => id === "config");
    const configs = hasAccounts ? await utils.configs.list.ensureData() : [];
    const text = hostsText(hosts, columns, configs);
    await put(text, `${formatNumber(hosts.length)} 台主机${restOf(hosts)}`);
  }

  async function putUses(hosts: readonly Host[]): Promise<void> {
    const { usesOf, usesText } = await import("./copied-text");
    const uses = usesOf(hosts, search.params.userId);
    const count = new Set(uses.map(({ host }) => host.id)).size;
    const free = hosts.length - count;
    const left = free > 0 ? `，另有 ${formatNumber(free)} 台未分配，没有复制` : "";

    if (count === 0) notify.warning("没有可以复制的主机", { message: "它们都没有分配给用户。" });
    else await put(usesText(uses), `${formatNumber(count)} 台主机${left}${restOf(hosts)}`);
  }

  return {
    isReading,
    copyTable: () => void act(putTable),
    copyUses: () => void act(putUses),
  };
}
