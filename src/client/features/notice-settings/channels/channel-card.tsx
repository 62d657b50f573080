import { CHANNEL_TYPE_LABELS, type NoticeChannel } from "@shared/notice-channels.ts";
import { Pencil, Send, Trash2 } from "lucide-react";
import { useRef } from "react";
import { trpc } from "@/api/trpc";
import { Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { RelativeTime } from "@/components/relative-time";
import { Button } from "@/components/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardFooter,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { Switch } from "@/components/ui/switch";
import { Tooltip } from "@/components/ui/tooltip";
import { formatTime } from "@/lib/format";
import { lazyDialog } from "@/lib/lazy";
import { notify } from "@/lib/notify";
import { useDialog } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";
import { useTestAtOnce } from "@/lib/use-test-at-once";
import { DeliveryState } from "../delivery-state";
import { CHANNEL_GUIDES } from "./channel-guides";
import { ChannelTestResult } from "./channel-test-result";
import { typesText } from "./notice-groups";

const EditChannelDialog = lazyDialog(() =>
  import("./edit-channel-dialog").then((m) => m.EditChannelDialog),
);

type ChannelCardProps = {
  channel: NoticeChannel;
  /** A new one that was saved to be tested. */
  isTestedAtOnce: boolean;
  onDelete: () => void;
};

/** Where a channel leads, what it sends, how the last delivery went, and a test of it. */
export function ChannelCard({ channel, isTestedAtOnce, onDelete }: ChannelCardProps) {
  const test = trpc.noticeChannels.test.useMutation({ meta: { errorTitle: "测试失败" } });
  const { show, dialog } = useDialog<"edit", NoticeChannel>();
  const edit = dialog("edit");
  const error = channel.lastDelivery?.error ?? null;
  const card = useRef<HTMLDivElement>(null);
  useTestAtOnce({
    card,
    isAsked: isTestedAtOnce,
    hasResult: test.data !== undefined,
    run: () => test.mutate({ id: channel.id }),
  });

  return (
    <Card
      ref={card}
      role="group"
      aria-labelledby={titleIdOf(channel)}
      className="scroll-mt-18 scroll-mb-4"
    >
      <ChannelHeader channel={channel} onEdit={() => show("edit", channel)} onDelete={onDelete} />
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 py-3">
        <DescriptionList
          items={[
            { label: "地址", value: <Mono>{addressOf(channel)}</Mono> },
            { label: "发送", value: typesText(channel.types) },
            { label: "最近一次", value: <LastDelivery channel={channel} /> },
          ]}
        />
        {error === null ? null : (
          <p className="text-sm [overflow-wrap:anywhere] text-danger-ink">{error}</p>
        )}
        <Pause channel={channel} />
        <ChannelTestResult result={test.data} />
      </CardContent>
      <CardFooter className="justify-between">
        <Button
          variant="outline"
          loading={test.isPending}
          aria-describedby={titleIdOf(channel)}
          onClick={() => test.mutate({ id: channel.id })}
        >
          <Send />
          测试
        </Button>
        <ActiveSwitch channel={channel} />
      </CardFooter>
      {edit === null ? null : <EditChannelDialog {...edit} onSaved={test.reset} />}
    </Card>
  );
}

/** The id of the name on a card: it describes buttons that are called the same on every card. */
function titleIdOf({ id }: NoticeChannel): string {
  return `channel-${id}`;
}

function addressOf({ config }: NoticeChannel): string {
  return config.url ?? `${config.host}:${config.port}`;
}

type ChannelHeaderProps = {
  channel: NoticeChannel;
  onEdit: () => void;
  onDelete: () => void;
};

function ChannelHeader({ channel, onEdit, onDelete }: ChannelHeaderProps) {
  const { name, type } = channel;
  const { icon: Icon } = CHANNEL_GUIDES[type];

  return (
    <CardHeader>
      <CardTitle className="flex min-h-8.5 items-center gap-2">
        <Icon className="size-4.5 shrink-0 text-muted-foreground" />
        <span id={titleIdOf(channel)} className="min-w-0 truncate" title={name}>
          {name}
        </span>
      </CardTitle>
      <CardDescription>{CHANNEL_TYPE_LABELS[type]}</CardDescription>
      <CardAction className="-mr-1.5 gap-0.5">
        <Tooltip content="编辑">
          <Button variant="ghost" icon aria-label={`编辑 ${name}`} onClick={onEdit}>
            <Pencil />
          </Button>
        </Tooltip>
        <Tooltip content="删除">
          <Button variant="ghost" icon aria-label={`删除 ${name}`} onClick={onDelete}>
            <Trash2 />
          </Button>
        </Tooltip>
      </CardAction>
    </CardHeader>
  );
}

function LastDelivery({ channel: { lastDelivery } }: { channel: NoticeChannel }) {
  if (lastDelivery === null) {
    return <span className="text-muted-foreground">还没有发送过</span>;
  }

  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      <DeliveryState status={lastDelivery.status} wasTried />
      <span className="text-muted-foreground">
        <RelativeTime at={lastDelivery.at} />
      </span>
    </span>
  );
}

/** Nobody sees elsewhere that a message waits. */
function Pause({ channel: { isActive, pausedUntil } }: { channel: NoticeChannel }) {
  const now = useNow();
  if (!isActive || pausedUntil === null || pausedUntil <= now) return null;

  return (
    <p className="text-sm text-muted-foreground">
      {`消息都在等待，${formatTime(pausedUntil)} 再试。改正地址、密码或密钥并保存后，会立即重试。`}
    </p>
  );
}

function ActiveSwitch({ channel: { id, name, isActive } }: { channel: NoticeChannel }) {
  const update = trpc.noticeChannels.update.useMutation({
    meta: { errorTitle: "更新失败" },
    onSuccess: (saved) =>
      notify.success(saved.isActive ? "渠道已启用" : "渠道已停用", { message: saved.name }),
  });
  // The switch follows the click while the call is pending.
  const isOn = (update.isPending ? update.variables.isActive : undefined) ?? isActive;

  return (
    <span className="inline-flex items-center gap-2 text-sm text-muted-foreground">
      <span aria-hidden="true">{isOn ? "已启用" : "已停用"}</span>
      <Switch
        aria-label={`启用 ${name}`}
        checked={isOn}
        aria-busy={update.isPending}
        onCheckedChange={(checked) => {
          if (!update.isPending) update.mutate({ id, isActive: checked });
        }}
      />
    </span>
  );
}
