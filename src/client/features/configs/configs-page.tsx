import type { Config } from "@shared/configs.ts";
import { Id } from "@shared/ids.ts";
import { KeyRound, Plus, ShieldCheck, UserCog, Wifi } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { z } from "zod";
import { CardGrid } from "@/components/card-grid";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { PageHeader } from "@/components/page-header";
import { useConfigs } from "@/components/sync/use-configs";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useDialog } from "@/lib/use-dialog";
import { useSearchParams } from "@/lib/use-search-params";
import { ConfigCard } from "./config-card";
import { CreateConfigDialog } from "./create-config-dialog";
import { DeleteConfigDialog } from "./delete-config-dialog";

const ConfigsSearch = z.object({
  /** How the command palette asks for the dialog. */
  new: z.literal("true").optional().catch(undefined),
  /** The one to look at. */
  config: Id.optional().catch(undefined),
  /** Which dialog of that one to open. */
  open: z.enum(["edit", "keys"]).optional().catch(undefined),
});

export function ConfigsPage() {
  const list = useConfigs();
  const [isAdding, setAdding] = useAddDialog();
  const [testedId, setTestedId] = useState<string>();
  const { show, dialog } = useDialog<"delete", Config>();
  const deletion = dialog("delete");
  const isEmpty = list.data?.length === 0;
  const addButton = (
    <Button onClick={() => setAdding(true)}>
      <Plus />
      新增配置
    </Button>
  );

  return (
    <div className="grid gap-4">
      <PageHeader
        title="配置管理"
        description="云服务商的 API 密钥，用于同步主机"
        aside={
          list.data === undefined ? null : (
            <Badge className="tabular-nums">{list.data.length} 个</Badge>
          )
        }
        actions={isEmpty ? null : addButton}
      />
      <ConfigCards
        list={list}
        addButton={addButton}
        testedId={testedId}
        onDelete={(config) => show("delete", config)}
      />
      {/* Not while loading: the cards above would move them. */}
      {list.isPending ? null : <UsageNotes />}
      <CreateConfigDialog
        isFirst={isEmpty}
        open={isAdding}
        onOpenChange={setAdding}
        onCreated={({ id }, { thenTest }) => setTestedId(thenTest ? id : undefined)}
      />
      {deletion === null ? null : <DeleteConfigDialog {...deletion} />}
    </div>
  );
}

/**
 * Whether the dialog is open: by the button, or because the address asks for it (`?new=true`), which
 * it does once: the parameter goes, or the dialog would open again on the way back.
 */
function useAddDialog() {
  const { params, setParams } = useSearchParams(ConfigsSearch);
  const [isOpen, setOpen] = useState(false);
  const isAsked = params.new === "true";
  const answer = useEffectEvent(() => {
    setParams({ new: undefined }, { replace: true });
    setOpen(true);
  });
  useEffect(() => {
    if (isAsked) answer();
  }, [isAsked]);

  return [isOpen, setOpen] satisfies [boolean, (open: boolean) => void];
}

type ConfigCardsProps = {
  list: ReturnType<typeof useConfigs>;
  addButton: ReactNode;
  /** The new one that is tested at once. */
  testedId: string | undefined;
  onDelete: (config: Config) => void;
};

function ConfigCards({ list, addButton, testedId, onDelete }: ConfigCardsProps) {
  const { params, setParams } = useSearchParams(ConfigsSearch);
  if (list.data === undefined && list.isError) {
    return (
      <Card>
        <QueryError query={list} />
      </Card>
    );
  }

  if (list.data?.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={KeyRound}
          title="暂无配置"
          description="添加云服务商的 API 密钥后，就可以同步主机了。"
          action={addButton}
        />
      </Card>
    );
  }

  const configs = list.data ?? [];

  return (
    <CardGrid
      rows={list.data}
      label="配置列表"
      // Each as tall as what it says.
      className="items-start lg:grid-cols-2 2xl:grid-cols-3"
      // As tall as a card.
      skeleton={<Skeleton className="m-4 h-66" />}
    >
      {(config) => (
        <ConfigCard
          config={config}
          lookAlikes={configs.filter((other) => looksLike(config, other))}
          isTestedAtOnce={config.id === testedId}
          isAskedFor={config.id === params.config}
          opens={config.id === params.config ? params.open : undefined}
          // It opens once, not again on the way back.
          onOpened={() => setParams({ open: undefined }, { replace: true })}
          onDelete={() => onDelete(config)}
        />
      )}
    </CardGrid>
  );
}

/** Whether two keys are masked alike, so that the cards must say which is which. */
function looksLike(config: Config, other: Config): boolean {
  return other.id !== config.id && other.publicKey === config.publicKey;
}

const NOTES = [
  {
    title: "在哪里获取密钥",
    icon: KeyRound,
    text: "登录 UCloud 控制台，进入“账号 → API 密钥”，复制公钥和私钥填入配置。复制时请勿带上首尾空格。",
  },
  {
    title: "需要哪些权限",
    icon: ShieldCheck,
    text: "只读即可：列出地域、列出项目、查询云主机；读取余额另需查询余额的权限（GetBalance）。建议使用专门的子账号并只授予云主机只读权限，本系统不会对云主机做任何修改。",
  },
  {
    title: "IP 白名单",
    icon: Wifi,
    text: "如果主账号设置了 API 访问白名单，请把本系统服务器的公网 IP 加入白名单。白名单对所有子账号同时生效。",
  },
  {
    title: "使用子账号密钥",
    icon: UserCog,
    text: "子账号必须在配置中填写有权限的项目 ID；如果它也无权列出地域，则只读取默认地域。",
  },
];

function UsageNotes() {
  return (
    <Card>
      <CardHeader>
        <CardTitle>使用说明</CardTitle>
      </CardHeader>
      <CardContent>
        <ul className="grid gap-x-8 gap-y-4 sm:grid-cols-2 xl:grid-cols-4">
          {NOTES.map(({ title, icon: Icon, text }) => (
            <li key={title} className="flex gap-3">
              <Icon className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              <div>
                <h3 className="text-sm font-medium">{title}</h3>
                <p className="mt-0.5 text-sm text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
