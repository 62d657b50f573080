import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { FormField } from "@/components/form-field";
import { RadioGroup } from "@/components/ui/radio-group";
import { formatNumber } from "@/lib/format-number";
import { endsText, type Holder, holdersOf } from "./holders";

/** Stands for everybody who has one of the hosts. */
export const EVERYBODY = "everybody";

interface HolderForm {
  /** The id of a user, `EVERYBODY`, or "" until one is chosen. */
  holderId: string;
}

/** Whom a dialog begins with: the user the list is filtered by, or the only one there is. */
export function presetHolder(hosts: readonly Host[], filteredId: string | undefined): string {
  const holders = holdersOf(hosts);
  const filtered = holders.find(({ user }) => user.id === filteredId);
  const only = holders.length === 1 ? holders[0] : undefined;
  return (filtered ?? only)?.user.id ?? "";
}

/** Those whose assignments a form is about. */
export function chosenHolders(hosts: readonly Host[], { holderId }: HolderForm): Holder[] {
  const holders = holdersOf(hosts);
  return holderId === EVERYBODY ? holders : holders.filter(({ user }) => user.id === holderId);
}

type HolderFieldProps = {
  hosts: readonly Host[];
  label: string;
  /** Whether everybody may be chosen at once. */
  canBeEverybody?: boolean;
};

/** Whose assignment is meant, with the number of chosen hosts that each user has. */
export function HolderField({ hosts, label, canBeEverybody = false }: HolderFieldProps) {
  const { control } = useFormContext<HolderForm>();
  const holders = holdersOf(hosts);
  const assignments = holders.reduce((sum, holder) => sum + holder.hosts.length, 0);
  const everybody = {
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
            ...holders.map((holder) => ({
              value: holder.user.id,
              label: `${holder.user.name} · ${formatNumber(holder.hosts.length)} 台`,
              description: `@${holder.user.username} · 使用至 ${endsText(holder)}`,
            })),
            ...(canBeEverybody && holders.length > 1 ? [everybody] : []),
          ]}
        />
      )}
    </FormField>
  );
}
