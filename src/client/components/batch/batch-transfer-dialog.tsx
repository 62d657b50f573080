import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { AssigneeField } from "@/components/assignments/assignee-field";
import { type Holder, holdersOf } from "@/components/assignments/holders";
import { type PeriodFields, periodInput, readPeriod } from "@/components/assignments/period";
import { PeriodField } from "@/components/assignments/period-field";
import { GapWarnings } from "@/components/hosts/gap-warnings";
import type { PromisedHost } from "@/components/hosts/provider-gap";
import { useCancelledRequests } from "@/components/renewals/cancelled-requests";
import { Alert } from "@/components/ui/alert";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { type BatchDialogProps, BatchFormDialog, type BatchSubject } from "./batch-form-dialog";
import { chosenHolders, HolderField, presetHolder } from "./holder-field";
import { isTransferred } from "./is-done";

const TransferForm = z.object({
  /** Who has the hosts now. */
  holderId: z.string(),
  userId: z.string(),
  ends: z.enum(["keep", "days", "date"]),
  days: z.string(),
  endDate: z.string(),
});
type TransferForm = z.infer<typeof TransferForm>;

const CheckedForm = TransferForm.superRefine((values, context) => {
  const refuse = (field: keyof TransferForm, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });

  if (values.holderId === "") refuse("holderId", "请选择原用户");
  if (values.userId === "") refuse("userId", "请选择接收用户");
  if (values.userId !== "" && values.userId === values.holderId) {
    refuse("userId", "接收用户不能与原用户相同");
  }
  const fields = periodFields(values);
  const period = fields === null ? null : readPeriod(fields);
  if (period?.kind === "problem" && period.field !== "start") refuse(period.field, period.message);
});

/** Null where each host keeps its end. */
function periodFields({ ends, days, endDate }: TransferForm): PeriodFields | null {
  return ends === "keep" ? null : { ends, days, endDate, start: "" };
}

/** All that one client has of the chosen hosts goes to another. */
export function BatchTransferDialog(props: BatchDialogProps) {
  const { hosts, scope } = props.subject;
  const holderId = presetHolder(hosts, scope);

  return (
    <BatchFormDialog
      {...props}
      act="transfer"
      emptyText={
        holdersOf(hosts).length === 0 ? "所选主机都没有分配给用户，没有可以转移的分配。" : null
      }
      schema={CheckedForm}
      defaultValues={{ holderId, userId: "", ends: "keep", days: "365", endDate: "" }}
      concerned={(values) => chosenHolders(hosts, values).flatMap((holder) => holder.hosts)}
      toGroups={(values, { send, readBack }) => {
        const fields = periodFields(values);
        const period = fields === null ? {} : periodInput(fields);
        return chosenHolders(hosts, values).map((holder) => ({
          hosts: holder.hosts,
          userName: holder.user.name,
          whenLost: readBack(isTransferred(holder.user.id, values.userId)),
          send: (hostIds) =>
            send({
              operation: "transfer",
              hostIds,
              fromUserId: holder.user.id,
              userId: values.userId,
              ...period,
            }),
        }));
      }}
    >
      <TransferFields {...props.subject} />
    </BatchFormDialog>
  );
}

function TransferFields({ hosts, scope }: BatchSubject) {
  const values = useFormContext<TransferForm>().watch();
  const isEndKept = values.ends === "keep";
  const now = useNow();
  const holders = chosenHolders(hosts, values);
  const expired = holders.flatMap((holder) => expiredHosts(holder, now));
  const transferred = (host: Host) => !(isEndKept && expired.includes(host));
  const cancelled = useCancelledRequests(
    holders.map(({ user, hosts: held }) => ({ user, hosts: held.filter(transferred) })),
  );

  return (
    <>
      <HolderField hosts={hosts} scope={scope} label="原用户" />
      <AssigneeField label="接收用户" exceptId={values.holderId} />
      <PeriodField start={now} canKeep />
      <Alert tone="warning">
        {`原用户将立即看不到这些主机，${cancelled}。${isEndKept ? "各主机的到期时间不变。" : ""}`}
      </Alert>
      <div className="grid gap-2" aria-live="polite">
        {isEndKept && expired.length > 0 ? (
          <Alert tone="warning">
            {`其中 ${formatNumber(expired.length)} 台的分配已到期，没有可以保持的到期时间，不会被转移。要一并转移，请选择天数或到期日。`}
          </Alert>
        ) : null}
        <GapWarnings promised={holders.flatMap((holder) => promisedHosts(holder, values, now))} />
      </div>
    </>
  );
}

/** The hosts that go to the new user, and until when; none while no valid end is chosen. */
function promisedHosts({ user, hosts }: Holder, values: TransferForm, now: number): PromisedHost[] {
  const fields = periodFields(values);
  if (fields !== null) {
    const period = readPeriod(fields, undefined, now);
    return period.kind === "problem" ? [] : hosts.map((host) => ({ host, until: period.end }));
  }

  return hosts.flatMap((host) => {
    const kept = host.users.find(({ id }) => id === user.id)?.assignedExpireTime;
    return kept === undefined || kept < now ? [] : [{ host, until: kept }];
  });
}

function expiredHosts({ user, hosts }: Holder, now: number): Host[] {
  return hosts.filter((host) =>
    host.users.some(({ id, assignedExpireTime }) => id === user.id && assignedExpireTime < now),
  );
}
