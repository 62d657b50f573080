import type { BatchHosts, BatchHostsInput } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import type { ReactNode } from "react";
import type { DefaultValues, FieldErrors, FieldValues } from "react-hook-form";
import type { z } from "zod";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { Alert } from "@/components/ui/alert";
import { formatNumber } from "@/lib/format-number";
import type { DialogState } from "@/lib/use-dialog";
import { BATCH_LABELS, type BatchAct, batchTitle } from "./batch-acts";
import { BatchProgress } from "./batch-progress";
import { ChosenHosts } from "./batch-results";
import type { HolderScope } from "./holder-field";
import type { IsDone } from "./is-done";
import { MoreHosts } from "./more-hosts";
import type { BatchGroup, ReadDone } from "./use-batch";
import { useBatchDialog } from "./use-batch-dialog";
import { useReadBack } from "./use-read-back";

/** The chosen hosts, and whose assignments of them are meant. */
export interface BatchSubject {
  readonly hosts: readonly Host[];
  readonly scope: HolderScope;
  /** Where the rest can be chosen if the batch is broken off; this page by default. */
  readonly path?: string | undefined;
  /** How many more it is about that are not among the hosts. */
  readonly moreHosts?: number;
}

export type BatchDialogProps = DialogState<BatchSubject> & {
  /** After a run, with the hosts that it failed for and those that it did not reach. */
  onFinished: (unfinishedIds: readonly string[]) => void;
};

/** What the groups of a batch are made of. */
export interface BatchCalls {
  readonly send: (input: BatchHostsInput) => Promise<BatchHosts>;
  /** For a call whose answer is lost: reads which hosts are as it was to make them. */
  readonly readBack: (isDone: IsDone) => ReadDone;
}

interface BatchFormDialogProps<Values extends FieldValues> extends BatchDialogProps {
  readonly act: BatchAct;
  readonly schema: z.ZodType<Values, Values>;
  readonly defaultValues: NoInfer<DefaultValues<Values>>;
  /** The hosts that the act concerns; all of them by default. */
  readonly concerned?: (values: Values) => readonly Host[];
  readonly toGroups: (values: Values, calls: BatchCalls) => readonly BatchGroup[];
  /** Why none of the hosts is one that the act can be done to; shown in place of the form. */
  readonly emptyText?: string | null;
  readonly onInvalid?: (errors: FieldErrors<Values>) => void;
  readonly children: ReactNode;
}

/** One act on many hosts: a form, then the progress and the result of each host. */
export function BatchFormDialog<Values extends FieldValues>(props: BatchFormDialogProps<Values>) {
  const { act, subject, open, onOpenChange, onFinished, toGroups, onInvalid } = props;
  const { emptyText = null } = props;
  const { hosts, path, moreHosts = 0 } = subject;
  const batch = trpc.hosts.batch.useMutation();
  const readBack = useReadBack();
  const label = BATCH_LABELS[act];
  const { state, start, progress } = useBatchDialog({ label, path, onFinished, onOpenChange });

  function submitLabel(values: Values): string {
    const concerned = props.concerned?.(values) ?? hosts;
    // A host that several users have is concerned once for each.
    const count = new Set(concerned.map(({ id }) => id)).size;
    if (count === 0) return label;

    const number = `${formatNumber(count)} 台`;
    if (act === "changeEnd") return `修改 ${number}的到期日`;
    if (act === "tag") return `修改 ${number}的标签`;
    return act === "remind" ? `提醒 ${number}的客户` : `${label} ${number}`;
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={(next) => state?.isRunning || onOpenChange(next)}
      title={batchTitle(act, hosts.length)}
      draft={act === "sync" || act === "remind" ? null : draftName(act, subject.scope)}
      schema={props.schema}
      defaultValues={props.defaultValues}
      submitLabel={submitLabel}
      submitProps={() => ({
        variant: act === "unassign" ? "danger" : "primary",
        disabled: emptyText !== null,
      })}
      errorTitle="批量操作失败"
      onSubmit={async (values) => start(toGroups(values, { send: batch.mutateAsync, readBack }))}
      {...(onInvalid === undefined ? {} : { onInvalid })}
      result={() => state && <BatchProgress state={state} {...progress} />}
    >
      {() => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ChosenHosts hosts={hosts} />
          {moreHosts > 0 ? <MoreHosts count={moreHosts} /> : null}
          {emptyText === null ? props.children : <Alert>{emptyText}</Alert>}
        </div>
      )}
    </FormDialog>
  );
}

/** What is typed on the page of one user is not put back on that of another. */
function draftName(act: BatchAct, scope: HolderScope): string {
  return scope.kind === "fixed" ? `hosts.batch:${act}:${scope.userId}` : `hosts.batch:${act}`;
}
