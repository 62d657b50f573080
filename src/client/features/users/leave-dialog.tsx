import type { Host } from "@shared/hosts.ts";
import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { BATCH_LABELS } from "@/components/batch/batch-acts";
import { BatchProgress } from "@/components/batch/batch-progress";
import { isUnassigned } from "@/components/batch/is-done";
import { type BatchEnd, useBatch } from "@/components/batch/use-batch";
import { useReadBack } from "@/components/batch/use-read-back";
import { FormDialog, NoFields } from "@/components/form-dialog/form-dialog";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { type Holdings, holdingsText, useHoldings } from "./use-holdings";
import { useReadHosts } from "./use-read-hosts";

/**
 * What is done when a client leaves, in one go: no more sign-ins, all hosts back, and with them the
 * open requests. The account comes first, so that nothing new is asked for meanwhile.
 */
export function LeaveDialog({ subject: user, ...dialog }: DialogState<User>) {
  const update = trpc.users.update.useMutation();
  const takeBack = trpc.hosts.batch.useMutation();
  const readHosts = useReadHosts();
  const readBack = useReadBack();
  const { state, run, runRest, stop } = useBatch();
  const holdings = useHoldings(user.id, { enabled: dialog.open });

  async function leave(): Promise<void> {
    if (user.isActive) await update.mutateAsync({ id: user.id, isActive: false });

    const hosts = await readHosts(user.id);
    // Not awaited: the progress is shown meanwhile, with a way to stop.
    void takeBackAll(hosts);
  }

  async function takeBackAll(hosts: readonly Host[]): Promise<void> {
    const send = (hostIds: string[]) =>
      takeBack.mutateAsync({ operation: "unassign", hostIds, userId: user.id });
    const whenLost = readBack(isUnassigned(user.id));
    const groups = [{ hosts, send, whenLost }];
    await follow(run(BATCH_LABELS.unassign, groups, `/users/${user.id}`));
  }

  async function follow(running: Promise<BatchEnd>): Promise<void> {
    const { hosts, unfinishedIds } = await running;
    if (unfinishedIds.length > 0) return;

    notify.success("离场完成", { message: `“${user.name}”已停用，收回 ${hosts.length} 台主机` });
    dialog.onOpenChange(false);
  }

  return (
    <FormDialog
      open={dialog.open}
      onOpenChange={(next) => state?.isRunning || dialog.onOpenChange(next)}
      title="用户离场"
      draft={null}
      description={`“${user.name} · @${user.username}”不再使用。资料和历史记录保留，账号以后可以在“编辑”中重新启用。`}
      schema={NoFields}
      defaultValues={{}}
      submitLabel="确认离场"
      submitProps={() => ({ variant: "danger" })}
      errorTitle="离场失败"
      onSubmit={leave}
      result={() =>
        state && (
          <BatchProgress state={state} onStop={stop} onRetry={() => void follow(runRest())} />
        )
      }
    >
      {() => (
        <div className="grid gap-2">
          <p className="text-sm text-muted-foreground">确认后依次进行：</p>
          <ol className="grid list-decimal gap-1 pl-5">
            {stepsOf(user, holdings).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      )}
    </FormDialog>
  );
}

function stepsOf(user: User, holdings: Holdings | undefined): string[] {
  // Another window may have disabled the account.
  const account = user.isActive ? ["停用账号，所有登录会话立即结束"] : [];
  if (holdings === undefined) {
    return [...account, "收回全部主机", "取消全部未完成的续费申请"];
  }

  const { hosts } = holdings;
  const requests = holdingsText({ ...holdings, hosts: 0 });
  // What there is nothing of is no step.
  return [
    ...account,
    ...(hosts === 0 ? [] : [`收回全部 ${hosts} 台主机`]),
    ...(requests === null ? [] : [`取消 ${requests}`]),
  ];
}
