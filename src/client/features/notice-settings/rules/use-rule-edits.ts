import { ReminderSettings } from "@shared/reminders.ts";
import { useEffect, useState } from "react";
import { fieldErrors, toastActError } from "@/api/errors";
import { trpc } from "@/api/trpc";
import { type DraftKey, readDraft, writeDraft } from "@/lib/drafts";
import { notify } from "@/lib/notify";
import { useLeaveGuard } from "@/lib/use-leave-guard";
import { useCurrentUser } from "@/session/session";
import { changesOf, hasFields, RuleEdits, withEdits } from "./rule-edits";

/**
 * The rules as they are edited. Only what this person has changed is kept here, and lies over the
 * stored rules: when another super admin saves meanwhile, everything else follows at once and
 * nothing that was typed is lost. The changes are a draft of this tab, so that they also outlive a
 * look at another page.
 */
export function useRuleEdits(stored: ReminderSettings) {
  const { id: userId } = useCurrentUser();
  const [edits, setEdits] = useState(() => readEdits({ userId, form: FORM }));
  const [editedRules, setEditedRules] = useState(stored);
  const [followed, setFollowed] = useState(stored);
  const [errors, setErrors] = useState<FieldMessages>(NO_ERRORS);
  const update = trpc.reminders.updateSettings.useMutation();
  const utils = trpc.useUtils();

  // What is stored by now, by this person or another, is no edit any more.
  if (stored !== followed) {
    setFollowed(stored);
    setEdits(changesOf(stored, edits));
  }

  const changes = changesOf(stored, edits);
  const isChanged = hasFields(changes);
  const rules = withEdits(stored, changes);
  useLeaveGuard(isChanged);
  useEffect(() => writeDraft({ userId, form: FORM }, "提醒规则", edits, {}), [userId, edits]);

  function edit(more: RuleEdits): void {
    if (!isChanged) setEditedRules(stored);
    const recipients = { ...changes.recipients, ...more.recipients };
    setEdits(changesOf(stored, { ...changes, ...more, recipients }));
    setErrors(NO_ERRORS);
  }

  function discard(): void {
    setEdits({});
    setErrors(NO_ERRORS);
  }

  async function save(): Promise<void> {
    const checked = ReminderSettings.safeParse(rules);
    if (!checked.success) {
      const messages = checked.error.issues.map(({ path, message }) => ({
        field: path.join("."),
        message,
      }));
      setErrors(messagesByField(messages));
      return;
    }

    try {
      const saved = await update.mutateAsync(checked.data);
      utils.reminders.settings.setData(undefined, saved);
      notify.success("提醒规则已保存", { message: "当天的提醒会按新规则再检查一次" });
    } catch (error) {
      const refused = fieldErrors(error);
      if (refused.length > 0) setErrors(messagesByField(refused));
      else toastActError("保存失败", error);
    }
  }

  return {
    rules,
    errors,
    isChanged,
    /** Somebody else has saved other rules since this person began to edit. */
    isOvertaken: isChanged && hasFields(changesOf(stored, editedRules)),
    isSaving: update.isPending,
    edit,
    discard,
    save,
  };
}

const FORM = "reminders.settings";

/** By the first part of the field's path. */
type FieldMessages = ReadonlyMap<string, string>;
const NO_ERRORS: FieldMessages = new Map();

function messagesByField(
  errors: readonly { readonly field: string; readonly message: string }[],
): FieldMessages {
  return new Map(errors.map(({ field, message }) => [field.split(".")[0] ?? field, message]));
}

/** None where an older console has left something else. */
function readEdits(key: DraftKey): RuleEdits {
  return RuleEdits.safeParse(readDraft(key)?.values).data ?? {};
}
