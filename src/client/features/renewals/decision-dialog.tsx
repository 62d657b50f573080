import { type BatchProcessRenewals, BatchProcessRenewalsInput } from "@shared/batch.ts";
import { OPEN_RENEWAL_STATUSES } from "@shared/renewal-status.ts";
import type { Renewal } from "@shared/renewals.ts";
import { trpc } from "@/api/trpc";
import type { Result } from "@/components/batch/result";
import { sendBatch } from "@/components/batch/send-batch";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FORM_TOAST } from "@/components/form-dialog/form-toast";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { RequestResults } from "@/components/renewals/request-results";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { ChangedMeanwhile, useChange } from "./changed-meanwhile";
import { DECISION_ACTS, type RenewalAction } from "./decisions";
import { ExtensionTable } from "./extension-table";
import { CompletionPreview } from "./renewal-display";
import { useDecide } from "./use-decide";
import { useUndoAction } from "./use-undo";

/** One request or several, and what is to be done with them. */
export type DecisionSubject = { renewals: readonly Renewal[]; action: RenewalAction };

type DecisionDialogProps = DialogState<DecisionSubject> & {
  onFinished?: (failedIds: readonly string[]) => void;
};

/**
 * Decides requests that are known to be decided in this way, one or several. The results of several
 * stay only where one of them failed.
 */
export function DecisionDialog({ subject, onFinished, ...dialog }: DecisionDialogProps) {
  const { renewals, action } = subject;
  const { decision: status, done } = DECISION_ACTS[action];
  const needsReason = status === "rejected";
  const title = titleOf(subject);
  const only = onlyOneOf(renewals);
  const change = useChange({ open: dialog.open, subject: only });
  const decideOne = useDecide();
  const undoAction = useUndoAction();
  const process = trpc.renewals.processBatch.useMutation();
  const { client } = trpc.useUtils();

  async function decide({ ids, adminRemark }: BatchProcessRenewalsInput): Promise<Result[]> {
    // An empty one would remove what was written at the approval.
    const decision = { status, ...(adminRemark ? { adminRemark } : {}) };
    if (only === null) return await decideSeveral({ ids, ...decision });

    await decideOne(only, decision);
    onFinished?.([]);
    return [];
  }

  async function decideSeveral(input: BatchProcessRenewalsInput): Promise<Result[]> {
    const results = await sendBatch({
      items: renewals,
      hostOf: hostOfClient,
      send: async () => {
        const results = await sendAsSeen(input);
        return (renewal) => results.find(({ id }) => id === renewal.id);
      },
      readDone: () => readDecided(input.ids),
    });
    const unfinished = results.filter(({ outcome }) => outcome !== "succeeded");
    const unfinishedIds = unfinished.map(({ id }) => id);
    onFinished?.(unfinishedIds);

    const decided = renewals
      .filter(({ id }) => !unfinishedIds.includes(id))
      .map((renewal) => ({ ...renewal, status }));
    if (decided.length > 0) {
      notify.success(`${decided.length} 个申请${done}`, undoAction(decided));
    }
    return results;
  }

  /** A call names one status that was seen: pending and approved ones together are two calls. */
  async function sendAsSeen(input: BatchProcessRenewalsInput) {
    const answers: BatchProcessRenewals["results"][] = [];
    for (const expectedStatus of OPEN_RENEWAL_STATUSES) {
      const seen = renewals.filter((renewal) => renewal.status === expectedStatus);
      const ids = seen.map(({ id }) => id);
      if (ids.length === 0) continue;

      const answer = await process.mutateAsync({ ...input, ids, expectedStatus });
      answers.push(answer.results);
    }
    return answers.flat();
  }

  /** Those that are decided in this way by now. */
  async function readDecided(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const read = await Promise.all(ids.map((id) => client.renewals.get.query({ id })));
    return new Set(read.filter((renewal) => renewal.status === status).map(({ id }) => id));
  }

  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={title}
      draft={draftOf(subject)}
      description={descriptionOf(subject)}
      schema={BatchProcessRenewalsInput}
      defaultValues={{ ids: renewals.map(({ id }) => id), status, adminRemark: "" }}
      submitLabel={title}
      submitProps={() => ({
        variant: needsReason ? "danger" : "primary",
        disabled: change !== null,
      })}
      errorTitle="处理失败"
      onInvalid={({ ids }) => ids?.message && notify.warning(ids.message, { id: FORM_TOAST })}
      onSubmit={decide}
      closesAfter={(results) => results.every(({ outcome }) => outcome === "succeeded")}
      result={(results) => <RequestResults results={results} />}
    >
      {({ control }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ChangedMeanwhile change={change} />
          <Extension renewals={renewals} isExtended={!needsReason} />
          <FormField
            control={control}
            name="adminRemark"
            label={needsReason ? "原因" : "备注"}
            required={needsReason}
            help="用户可以看到，最多 500 个字符"
          >
            {(field) => <Textarea rows={2} data-autofocus {...field} />}
          </FormField>
        </div>
      )}
    </FormDialog>
  );
}

type ExtensionProps = { renewals: readonly Renewal[]; isExtended: boolean };

/** What the decision means for the ends: of several a table, of one in full. */
function Extension({ renewals, isExtended }: ExtensionProps) {
  const only = onlyOneOf(renewals);
  if (only === null) return <ExtensionTable renewals={renewals} isExtended={isExtended} />;
  return isExtended ? <CompletionPreview renewal={only} when="标记完成后" /> : null;
}

/** Null when there are several. */
function onlyOneOf(renewals: readonly Renewal[]): Renewal | null {
  const [first = null, ...others] = renewals;
  return others.length === 0 ? first : null;
}

function titleOf({ renewals, action }: DecisionSubject): string {
  const { title, titleOfOne } = DECISION_ACTS[action];
  return onlyOneOf(renewals) === null ? `${title} ${renewals.length} 个申请` : titleOfOne;
}

function descriptionOf({ renewals, action }: DecisionSubject): string {
  const { consequence } = DECISION_ACTS[action];
  const only = onlyOneOf(renewals);
  return only === null
    ? consequence
    : `“${only.user.name}”的“${hostTitle(only.host)}”：${consequence}`;
}

/** What was written about one request is not offered for another one. */
function draftOf({ renewals, action }: DecisionSubject): string {
  return `renewals.${action}:${onlyOneOf(renewals)?.id ?? "several"}`;
}

/** The host, named with the client who asks. */
function hostOfClient({ user, host }: Renewal): Renewal["host"] {
  return { ...host, name: `${user.name} 的 ${hostTitle(host)}` };
}
