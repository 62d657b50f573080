import type { Host } from "@shared/hosts.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { type Holder, holdersOf } from "@/components/assignments/holders";
import { endDateLimits, endOfDay } from "@/components/assignments/period";
import { DateInput, INCOMPLETE, incompleteDate } from "@/components/date-input";
import { FormField } from "@/components/form-field";
import { GapWarnings } from "@/components/hosts/gap-warnings";
import { hostTitle } from "@/components/hosts/host-facts";
import { Alert } from "@/components/ui/alert";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { serverNow } from "@/lib/server-time";
import { useNow } from "@/lib/use-now";
import { type BatchDialogProps, BatchFormDialog, type BatchSubject } from "./batch-form-dialog";
import { chosenHolders, EVERYBODY, HolderField, presetHolder } from "./holder-field";
import { isAssigned } from "./is-done";

const EndForm = z
  .object({ holderId: z.string(), endDate: z.string() })
  .superRefine(({ holderId, endDate }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });

    if (holderId === "") refuse("holderId", "请选择用户");
    const message = endDateProblem(endDate);
    if (message !== null) refuse("endDate", message);
  });
type EndForm = z.infer<typeof EndForm>;

/** The server knows the starts, and says for each host whether the end fits it. */
function endDateProblem(endDate: string): string | null {
  if (endDate === INCOMPLETE) return incompleteDate("到期日");
  if (endOfDay(endDate) === null) return "请选择到期日";

  const now = serverNow();
  const { max } = endDateLimits(now, now);
  if (endDate < formatDate(now)) return "到期日不能早于今天";
  return endDate > max ? `到期日最晚是 ${max}` : null;
}

/** One last day for the assignments of the chosen hosts; each keeps its start. */
export function BatchEndDialog(props: BatchDialogProps) {
  const { hosts, scope } = props.subject;
  const holderId = presetHolder(hosts, scope) || presetEverybody(hosts);

  return (
    <BatchFormDialog
      {...props}
      act="changeEnd"
      emptyText={
        holdersOf(hosts).length === 0 ? "所选主机都没有分配给用户，没有可以修改的到期日。" : null
      }
      schema={EndForm}
      defaultValues={{ holderId, endDate: "" }}
      concerned={(values) => chosenHolders(hosts, values).flatMap((holder) => holder.hosts)}
      toGroups={(values, { send, readBack }) => {
        const assignedExpireTime = endOfDay(values.endDate) ?? 0;
        return chosenHolders(hosts, values).map((holder) => ({
          hosts: holder.hosts,
          userName: holder.user.name,
          whenLost: readBack(isAssigned(holder.user.id, assignedExpireTime)),
          send: (hostIds) =>
            send({
              operation: "assign",
              hostIds,
              userId: holder.user.id,
              assignedExpireTime,
              allowShorter: true,
            }),
        }));
      }}
    >
      <EndFields {...props.subject} />
    </BatchFormDialog>
  );
}

/** Everybody, unless users share a host: whose end of it is meant has to be said. */
function presetEverybody(hosts: readonly Host[]): string {
  const isShared = hosts.some(({ users }) => users.length > 1);
  return isShared ? "" : EVERYBODY;
}

function EndFields({ hosts, scope }: BatchSubject) {
  const { control, watch } = useFormContext<EndForm>();
  const values = watch();
  const now = useNow();
  const { max } = endDateLimits(now, now);
  const holders = chosenHolders(hosts, values);
  const end = endOfDay(values.endDate);

  return (
    <>
      <HolderField hosts={hosts} scope={scope} label="修改谁的到期日" everybody="first" />
      <FormField
        control={control}
        name="endDate"
        label={`到期日${ZONE_SUFFIX}`}
        required
        help="当天结束时到期，开始时间不变"
      >
        {(field) => (
          <DateInput
            type="date"
            className="sm:w-60"
            min={formatDate(now)}
            max={max}
            data-autofocus={values.holderId === "" ? undefined : true}
            {...field}
          />
        )}
      </FormField>
      <div className="grid gap-2" aria-live="polite">
        {end === null ? null : <Consequences holders={holders} end={end} />}
      </div>
    </>
  );
}

/** Which ends come nearer, and which hosts end earlier at the provider. */
function Consequences({ holders, end }: { holders: readonly Holder[]; end: number }) {
  const shortened = holders.flatMap((holder) => assignmentsEndingAfter(holder, end));
  const concerned = holders.flatMap((holder) => holder.hosts);

  return (
    <>
      {shortened.length === 0 ? null : (
        <Alert
          tone="warning"
          title={`其中 ${formatNumber(shortened.length)} 台现有的到期时间更晚，将缩短`}
        >
          {/* A long list scrolls by keyboard. */}
          <ul
            aria-label="到期时间将缩短的主机"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
            className="max-h-32 overflow-y-auto tabular-nums"
          >
            {shortened.map(({ id, host, presentEnd }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                {`${hostTitle(host)}：到 ${formatDate(presentEnd)}`}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <GapWarnings promised={concerned.map((host) => ({ host, until: end }))} />
    </>
  );
}

function assignmentsEndingAfter({ user, hosts }: Holder, end: number) {
  return hosts.flatMap((host) => {
    const presentEnd = host.users.find(({ id }) => id === user.id)?.assignedExpireTime ?? 0;
    return presentEnd > end ? [{ id: `${host.id} ${user.id}`, host, presentEnd }] : [];
  });
}
