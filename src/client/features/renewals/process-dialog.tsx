import { ProcessRenewalInput, type Renewal, type RenewalDecision } from "@shared/renewals.ts";
import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { useFormContext } from "react-hook-form";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { Remark } from "@/components/remark";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import type { DialogState } from "@/lib/use-dialog";
import { isTyping } from "@/lib/use-hotkey";
import { ChangedMeanwhile, useChange } from "./changed-meanwhile";
import { DECISIONS } from "./decisions";
import { CompletionPreview } from "./renewal-display";
import { useDecide } from "./use-decide";

type ProcessForm = { status: RenewalDecision; adminRemark?: string | null | undefined };

type ProcessDialogProps = DialogState<Renewal> & {
  /** What is chosen at first. Who begins with a rejection begins with its reason. */
  firstChoice: "approved" | "rejected";
  /** Opens the next request that waits; null when this is the last one. */
  onNext: (() => void) | null;
};

/** Approves, rejects or completes a pending request, then goes on to the next one. */
export function ProcessDialog({
  subject: renewal,
  firstChoice,
  onNext,
  ...dialog
}: ProcessDialogProps) {
  const { user, host, requestedDuration } = renewal;
  const decideSeen = useDecide();
  const decide = (decision: ProcessRenewalInput) => decideSeen(renewal, decision);
  const change = useChange({ ...dialog, subject: renewal });
  const submitLabels = onNext === null ? LAST_LABELS : NEXT_LABELS;
  const otherSubmit = {
    label: ({ status }: ProcessForm) => ONLY_LABELS[status],
    onSubmit: decide,
    onDone: () => dialog.onOpenChange(false),
  };

  // The focus goes to this request's row: the dialog may have been opened by that of an earlier
  // one.
  useEffect(() => {
    if (!dialog.open) {
      document.querySelector<HTMLElement>(`[data-request="${renewal.id}"]`)?.focus();
    }
  }, [dialog.open, renewal.id]);

  return (
    <FormDialog
      {...dialog}
      title="处理续费申请"
      draft={`renewals.process:${renewal.id}`}
      description={`${user.name} · @${user.username} 申请将“${hostTitle(host)}”续费 ${requestedDuration} 天`}
      schema={ProcessRenewalInput}
      defaultValues={{ id: renewal.id, status: firstChoice, adminRemark: "" }}
      submitLabel={({ status }) => submitLabels[status]}
      submitProps={({ status }) => ({
        variant: status === "rejected" ? "danger" : "primary",
        disabled: change !== null,
      })}
      errorTitle="处理失败"
      onSubmit={decide}
      {...(onNext === null ? {} : { onDone: onNext, otherSubmit })}
    >
      {() => (
        <DecisionKeys>
          <ChangedMeanwhile change={change} />
          <ClientRemark text={renewal.remark} />
          <DecisionFields renewal={renewal} firstChoice={firstChoice} />
        </DecisionKeys>
      )}
    </FormDialog>
  );
}

type SubmitLabels = Readonly<Record<RenewalDecision, string>>;

/** Beside those that go on to the next request. */
const ONLY_LABELS: SubmitLabels = {
  approved: "批准",
  completed: "标记完成",
  rejected: "拒绝",
};

const LAST_LABELS: SubmitLabels = {
  approved: "批准申请",
  completed: "标记完成",
  rejected: "拒绝申请",
};

const NEXT_LABELS: SubmitLabels = {
  approved: "批准并处理下一个",
  completed: "标记完成并处理下一个",
  rejected: "拒绝并处理下一个",
};

function ClientRemark({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className="rounded-md bg-muted px-3.5 py-2.5 text-sm">
      <span className="text-muted-foreground">用户备注：</span>
      <Remark text={text} />
    </p>
  );
}

type DecisionFieldsProps = Pick<ProcessDialogProps, "firstChoice"> & { renewal: Renewal };

function DecisionFields({ renewal, firstChoice }: DecisionFieldsProps) {
  const { control, watch } = useFormContext<ProcessForm>();
  const choose = useChoice();
  const status = watch("status");
  const isRejecting = status === "rejected";

  return (
    <>
      <FormField control={control} name="status" label="处理结果" required>
        {({ value }) => (
          <RadioGroup
            focusFirst={firstChoice === "approved"}
            value={value}
            onValueChange={choose}
            options={DECISIONS}
          />
        )}
      </FormField>
      {isRejecting ? null : (
        <CompletionPreview
          renewal={renewal}
          when={status === "approved" ? "标记完成后" : "提交后"}
        />
      )}
      <FormField
        control={control}
        name="adminRemark"
        label="备注"
        required={isRejecting}
        help="用户可以看到，最多 500 个字符；按 Ctrl+Enter 提交"
      >
        {(field) => (
          <Textarea data-autofocus={firstChoice === "rejected" || undefined} {...field} />
        )}
      </FormField>
    </>
  );
}

/** A choice alone is nothing that could be lost: it does not make the form one with changes. */
function useChoice(): (status: RenewalDecision) => void {
  const { clearErrors, setValue } = useFormContext<ProcessForm>();

  return (status) => {
    setValue("status", status);
    clearErrors("adminRemark");
  };
}

/**
 * Beside the mouse: A approves, R rejects and goes to the reason, Enter submits; Ctrl-Enter in the
 * text.
 */
function DecisionKeys({ children }: { children: ReactNode }) {
  const choose = useChoice();

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const command = commandOf(event);
    if (command === null) return;

    event.preventDefault();
    if (command === "submit") {
      // Radix keeps Enter from submitting in a group of radio buttons. By the button, which may be
      // switched off.
      const form = event.currentTarget.closest("form");
      form?.querySelector<HTMLElement>("button[type='submit']")?.click();
      return;
    }

    choose(command);
    // At once: the form's own `setFocus` waits for a timer, and loses what is typed meanwhile.
    if (command === "rejected") event.currentTarget.querySelector("textarea")?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole form
    <div className="grid gap-4" onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

type KeyCommand = "approved" | "rejected" | "submit";

/** In the text Ctrl makes a key a command, elsewhere it belongs to the browser. */
function commandOf(event: KeyboardEvent): KeyCommand | null {
  const isText = isTyping(event.target);
  const withModifier = event.ctrlKey || event.metaKey;
  if (isText !== withModifier) return null;
  if (event.key === "Enter") return "submit";
  if (isText) return null;

  return CHOICE_KEYS.get(event.key.toLowerCase()) ?? null;
}

const CHOICE_KEYS: ReadonlyMap<string, KeyCommand> = new Map([
  ["a", "approved"],
  ["r", "rejected"],
]);
