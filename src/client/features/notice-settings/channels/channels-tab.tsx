import { CHANNEL_TYPE_LABELS, ChannelType, type NoticeChannel } from "@shared/notice-channels.ts";
import { Plus, Radio } from "lucide-react";
import { type ReactNode, useState } from "react";
import { trpc } from "@/api/trpc";
import { CardGrid } from "@/components/card-grid";
import { EmptyState } from "@/components/empty-state";
import { QueryError } from "@/components/error-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Skeleton } from "@/components/ui/skeleton";
import { lazyDialog } from "@/lib/lazy";
import { useDialog } from "@/lib/use-dialog";
import { ChannelCard } from "./channel-card";
import { CHANNEL_GUIDES } from "./channel-guides";
import { DeleteChannelDialog } from "./delete-channel-dialog";

const CreateChannelDialog = lazyDialog(() =>
  import("./create-channel-dialog").then((m) => m.CreateChannelDialog),
);

export function ChannelsTab() {
  const list = useChannels();
  const { show, dialog } = useDialog<"create", ChannelType>();
  const [testedId, setTestedId] = useState<string>();
  const creation = dialog("create");
  const ofChannels = useDialog<"delete", NoticeChannel>();
  const deletion = ofChannels.dialog("delete");
  const addButton = <AddChannelMenu onChoose={(type) => show("create", type)} />;

  return (
    <>
      <ChannelCards
        list={list}
        addButton={addButton}
        testedId={testedId}
        onDelete={(channel) => ofChannels.show("delete", channel)}
      />
      {creation === null ? null : <CreateChannelDialog {...creation} onTest={setTestedId} />}
      {deletion === null ? null : <DeleteChannelDialog {...deletion} />}
    </>
  );
}

function useChannels() {
  return trpc.noticeChannels.list.useQuery();
}

type ChannelCardsProps = {
  list: ReturnType<typeof useChannels>;
  addButton: ReactNode;
  /** The new one that is tested at once. */
  testedId: string | undefined;
  onDelete: (channel: NoticeChannel) => void;
};

function ChannelCards({ list, addButton, testedId, onDelete }: ChannelCardsProps) {
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
          icon={Radio}
          title="还没有渠道"
          description="通知总会进入收件箱。添加渠道后，还会发到邮箱、企业微信、钉钉、飞书的群，或您自己的程序。"
          action={addButton}
        />
      </Card>
    );
  }

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-sm text-muted-foreground">
          通知进入收件箱的同时，经启用的渠道发出。发送失败会自动重试，最长 24 小时。
        </p>
        {addButton}
      </div>
      <CardGrid
        rows={list.data}
        label="渠道列表"
        className="items-start lg:grid-cols-2 2xl:grid-cols-3"
        // As tall as a card.
        skeleton={<Skeleton className="m-4 h-54" />}
      >
        {(channel) => (
          <ChannelCard
            channel={channel}
            isTestedAtOnce={channel.id === testedId}
            onDelete={() => onDelete(channel)}
          />
        )}
      </CardGrid>
    </>
  );
}

function AddChannelMenu({ onChoose }: { onChoose: (type: ChannelType) => void }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Plus />
          新增渠道
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {ChannelType.options.map((type) => {
          const { icon: Icon, summary } = CHANNEL_GUIDES[type];
          return (
            <DropdownMenuItem key={type} icon={<Icon />} onSelect={() => onChoose(type)}>
              {CHANNEL_TYPE_LABELS[type]}
              <span className="block text-xs text-muted-foreground">{summary}</span>
            </DropdownMenuItem>
          );
        })}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
