import type { NoticeChannel } from "@shared/notice-channels.ts";
import { trpc } from "@/api/trpc";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";

export function DeleteChannelDialog({ subject: channel, ...dialog }: DialogState<NoticeChannel>) {
  const deletion = trpc.noticeChannels.delete.useMutation();

  async function deleteChannel(): Promise<void> {
    await deletion.mutateAsync({ id: channel.id });
    notify.success("删除成功", { message: `渠道“${channel.name}”已删除` });
  }

  return (
    <ConfirmDialog
      {...dialog}
      title="删除渠道"
      description={
        <p>
          确定删除渠道 <strong>{channel.name}</strong>
          ？等待发送的消息不再发送，保存的地址和密钥会被销毁，发送记录保留。
        </p>
      }
      confirmLabel="删除渠道"
      errorTitle="删除失败"
      onConfirm={deleteChannel}
    />
  );
}
