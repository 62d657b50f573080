import type { HostUser } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { trpc } from "@/api/trpc";
import { FormField } from "@/components/form-field";
import { UserPicker } from "@/components/user-picker";
import { useLastAssignment } from "./last-assignment";

interface AssigneeForm {
  userId: string;
}

type AssigneeFieldProps = {
  label?: string;
  /** Who it is, when that is settled already. */
  present?: HostUser | undefined;
  /** Who cannot be it, and is not offered as the one of the last time. */
  exceptId?: string;
};

/** The client who gets the hosts; the one of the last time is a click away. */
export function AssigneeField({ label = "用户", present, exceptId }: AssigneeFieldProps) {
  const { control, setValue, watch } = useFormContext<AssigneeForm>();
  const { last } = useLastAssignment();
  const userId = watch("userId");
  const lastUser = trpc.users.get.useQuery(
    { id: last?.userId ?? "" },
    { enabled: present === undefined && last !== null },
  ).data;
  const isLastOffered = userId === "" && lastUser?.isActive === true && lastUser.id !== exceptId;
  const known = [present, lastUser].find((user) => user?.id === userId);

  return (
    <FormField
      control={control}
      name="userId"
      label={label}
      required
      help={
        isLastOffered ? (
          <button
            type="button"
            className="min-h-6 max-w-full truncate rounded-sm text-primary-ink hover:underline"
            onClick={() => setValue("userId", lastUser.id, { shouldDirty: true })}
          >
            {`与上次相同：${lastUser.name}`}
          </button>
        ) : undefined
      }
    >
      {({ value, onChange, ref }) => (
        <UserPicker
          only="client"
          ref={ref}
          placeholder="选择用户"
          value={value === "" ? null : value}
          onValueChange={(chosen) => onChange(chosen ?? "")}
          except={exceptId === undefined ? undefined : { id: exceptId, why: "原用户" }}
          selectedName={known && `${known.name} · @${known.username}`}
          disabled={present !== undefined}
        />
      )}
    </FormField>
  );
}
