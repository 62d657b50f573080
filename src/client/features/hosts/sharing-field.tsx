import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { holderSentence, otherHolders } from "@/components/assignments/holders";
import { FormField } from "@/components/form-field";
import { useCancelledRequests } from "@/components/renewals/cancelled-requests";
import { Alert } from "@/components/ui/alert";
import { RadioGroup } from "@/components/ui/radio-group";
import type { AssignmentForm } from "./assignment";

const NAMED = 5;

/** Where others have the hosts: who has them until when, and whether they lose them. */
export function SharingField({ hosts, userId }: { hosts: readonly Host[]; userId: string }) {
  const { control } = useFormContext<AssignmentForm>();
  const others = otherHolders(hosts, userId);
  const cancelled = useCancelledRequests(others);
  const unnamed = others.length - NAMED;
  if (others.length === 0) return null;

  return (
    <div className="grid gap-2">
      <Alert tone="warning" live>
        <ul>
          {others.slice(0, NAMED).map((holder) => (
            <li key={holder.user.id}>{holderSentence(holder, hosts.length)}</li>
          ))}
          {unnamed > 0 ? <li>{`另有 ${unnamed} 人正在使用`}</li> : null}
        </ul>
      </Alert>
      <FormField control={control} name="sharing" label="原来的使用者" required>
        {({ value, onChange }) => (
          <RadioGroup
            className="sm:grid-cols-2"
            value={value}
            onValueChange={onChange}
            options={[
              {
                value: "transfer",
                label: "转移",
                description: `原来的分配现在结束，${cancelled}`,
              },
              { value: "share", label: "共用", description: "原来的分配不变，双方都可以使用" },
            ]}
          />
        )}
      </FormField>
    </div>
  );
}
