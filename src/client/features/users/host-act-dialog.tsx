import type { BatchHostsInput } from "@shared/batch.ts";
import type { Host } from "@shared/hosts.ts";
import type { User } from "@shared/users.ts";
import type { ReactNode } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type { z } from "zod";
import { ChosenHosts, type Result } from "@/components/batch/batch-results";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";
import type { DialogState } from "@/lib/use-dialog";
import { HostResults } from "./host-results";
import { isDone, useHostBatch } from "./use-host-batch";

/** The chosen ones of a user's hosts. */
export type HostActProps = DialogState<readonly Host[]> & {
  user: User;
  onFinished: (failedIds: readonly string[]) => void;
};

type HostActDialogProps<Values extends FieldValues> = HostActProps & {
  /** What is done: the title, and what the button says. */
  act: string;
  variant: "primary" | "danger";
  schema: z.ZodType<Values, Values>;
  defaultValues: NoInfer<DefaultValues<Values>>;
  toInput: (values: Values, hostIds: string[]) => BatchHostsInput;
  children: ReactNode;
};

/** One act on several hosts of one user. The results stay only where it failed for one of them. */
export function HostActDialog<Values extends FieldValues>({
  subject: hosts,
  user: _,
  onFinished,
  act,
  variant,
  toInput,
  children,
  ...form
}: HostActDialogProps<Values>) {
  const run = useHostBatch();
  const count = formatNumber(hosts.length);

  async function submit(values: Values): Promise<Result[]> {
    const results = await run(hosts, (hostIds) => toInput(values, hostIds));
    const failed = results.filter((result) => !isDone(result));

    onFinished(failed.map(({ id }) => id));
    if (failed.length === 0) notify.success(`${act}完成`, { message: `共 ${count} 台主机` });

    return results;
  }

  return (
    <FormDialog
      {...form}
      title={`${act} ${count} 台主机`}
      draft={null}
      submitLabel={`${act} ${count} 台`}
      submitProps={() => ({ variant })}
      errorTitle={`${act}失败`}
      onSubmit={submit}
      closesAfter={(results) => results.every(isDone)}
      result={(results) => <HostResults results={results} />}
    >
      {() => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <ChosenHosts hosts={hosts} />
          {children}
        </div>
      )}
    </FormDialog>
  );
}
