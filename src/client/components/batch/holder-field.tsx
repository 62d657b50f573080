import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { endsText, type Holder, holdersOf } from "@/components/assignments/holders";
import { FormField } from "@/components/form-field";
import { RadioGroup } from "@/components/ui/radio-group";
import { formatNumber } from "@/lib/format-number";

/** Stands for everybody who has one of the hosts. */
export const EVERYBODY = "everybody";

interface HolderForm {
  /** The id of a user, `EVERYBODY`, or "" until one is chosen. */
  holderId: string;
}

/**
 * Whose assignments an act is about. On the page of one user they are that user's; in a list of
 * hosts whoever has them may be chosen, and a list that is filtered by a user begins with that one.
 */
export type HolderScope =
  | { kind: "fixed"; userId: string }
  | { kind: "choice"; firstId: string | undefined };

/** The holder that a dialog begins with; without one the only holder there is, or "". */
export function presetHolder(hosts: readonly Host[], scope: HolderScope): string {
  if (scope.kind === "fixed") return scope.userId;

  const holders = holdersOf(hosts);
  const first = holders.find(({ user }) => user.id === scope.firstId);
  const only = holders.length === 1 ? holders[0] : undefined;
  return (first ?? only)?.user.id ?? "";
}

/** Those whose assignments a form is about. */
export function chosenHolders(hosts: readonly Host[], { holderId }: HolderForm): Holder[] {
  const holders = holdersOf(hosts);
  return holderId === EVERYBODY ? holders : holders.filter(({ user }) => user.id === holderId);
}

type HolderFieldProps = {
  hosts: readonly Host[];
  scope: HolderScope;
  label: string;
  /** Where everybody can be chosen at once: among the holders, of whom the first gets the focus. */
  everybody?: "first" | "last";
};

/**
 * Whose assignment is meant, with the number of chosen hosts that each user has. Nothing where that
 * is fixed.
 */
export function HolderField({ hosts, scope, label, everybody }: HolderFieldProps) {
  const { control } = useFormContext<HolderForm>();
  const holders = holdersOf(hosts);
  const assignments = holders.reduce((sum, holder) => sum + holder.hosts.length, 0);
  if (scope.kind === "fixed") return null;

  const all = {
    value: EVERYBODY,
    label: "全部用户",
    description: `${formatNumber(holders.length)} 人，共 ${formatNumber(assignments)} 条分配`,
  };

  return (
    <FormField control={control} name="holderId" label={label} required>
      {({ value, onChange }) => (
        <RadioGroup
          className="max-h-64 overflow-y-auto"
          value={value}
          onValueChange={onChange}
          focusFirst={value === ""}
          options={[
            ...(everybody === "first" && holders.length > 1 ? [all] : []),
            ...holders.map((holder) => ({
              value: holder.user.id,
              label: `${holder.user.name} · ${formatNumber(holder.hosts.length)} 台`,
              description: `@${holder.user.username} · 使用至 ${endsText(holder)}`,
            })),
            ...(everybody === "last" && holders.length > 1 ? [all] : []),
          ]}
        />
      )}
    </FormField>
  );
}
