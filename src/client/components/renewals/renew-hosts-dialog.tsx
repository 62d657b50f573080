import type { Host } from "@shared/hosts.ts";
import { limitedText } from "@shared/text.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { trpc } from "@/api/trpc";
import { endOfDay } from "@/components/assignments/period";
import { MoreHosts } from "@/components/batch/more-hosts";
import { countOutcomes, type Result } from "@/components/batch/result";
import { sendBatch } from "@/components/batch/send-batch";
import { useReadBack } from "@/components/batch/use-read-back";
import { DateInput, INCOMPLETE, incompleteDate } from "@/components/date-input";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { FormField } from "@/components/form-field";
import { hostTitle } from "@/components/hosts/host-facts";
import { SegmentedControl } from "@/components/segmented-control";
import { Textarea } from "@/components/ui/textarea";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { formatDate, formatExpiry } from "@/lib/format";
import { notify } from "@/lib/notify";
import { serverNow } from "@/lib/server-time";
import type { DialogState } from "@/lib/use-dialog";
import { useNow } from "@/lib/use-now";
import { type Extension, ExtensionMode, extensionInput, extensionOf } from "./extension";
import { PROMISE } from "./renewal-promise";
import { RequestResults } from "./request-results";
import { useLastDays } from "./use-last-days";

const RenewHostsForm = z
  .object({
    mode: ExtensionMode,
    day: z.string(),
    remark: limitedText("备注", 500),
  })
  .superRefine(({ mode, day }, context) => {
    if (mode !== "day" || endOfDay(day) !== null) return;
    const message = day === INCOMPLETE ? incompleteDate("统一到期日") : "请选择统一到期日";
    context.addIssue({ code: "custom", path: ["day"], message });
  });
type RenewHostsForm = z.infer<typeof RenewHostsForm>;

type RenewHostsDialogProps = DialogState<readonly Host[]> & {
  /** How many more it is about that are not among the hosts. */
  moreHosts?: number;
  onFinished: () => void;
};

/**
 * A client asks for more time for several hosts: the same days for each, or one common last day.
 */
export function RenewHostsDialog(props: RenewHostsDialogProps) {
  const { subject: hosts, moreHosts = 0, onFinished, ...dialog } = props;
  const create = trpc.renewals.createBatch.useMutation();
  const readBack = useReadBack();
  const { lastDays, rememberDays } = useLastDays();

  async function submit(values: RenewHostsForm): Promise<Result[]> {
    const { mode, remark } = values;
    const hostIds = hosts.map(({ id }) => id);
    const results = await sendBatch({
      items: hosts,
      hostOf: (host) => host,
      send: async () => {
        const input = { hostIds, remark, ...extensionInput(values) };
        const answer = await create.mutateAsync(input);
        return ({ id }) => answer.results.find(({ hostId }) => hostId === id);
      },
      // None of them had an open request when the dialog was opened.
      readDone: () => readBack(({ openRenewal }) => openRenewal !== null)(hosts),
    });
    if (mode !== "day") rememberDays(Number(mode));
    const done = countOutcomes(results).succeeded;

    if (done > 0) notify.success("续费申请已提交", { message: `${done} 台主机，${PROMISE}` });
    onFinished();
    return results;
  }

  return (
    <FormDialog
      {...dialog}
      title="申请续费"
      draft="renewals.createBatch"
      description={`为 ${hosts.length} 台主机申请续费，${PROMISE}`}
      schema={RenewHostsForm}
      defaultValues={{ mode: usualMode(lastDays), day: "", remark: "" }}
      submitLabel={`提交 ${hosts.length} 个申请`}
      errorTitle="续费申请失败"
      onSubmit={submit}
      closesAfter={(results) => results.every(({ outcome }) => outcome === "succeeded")}
      result={(results) => <RequestResults results={results} />}
    >
      {() => (
        <>
          {moreHosts > 0 ? <MoreHosts count={moreHosts} /> : null}
          <RenewHostsFields hosts={hosts} />
        </>
      )}
    </FormDialog>
  );
}

/** Those that were asked for last, where they are one of the choices. */
function usualMode(lastDays: number): RenewHostsForm["mode"] {
  return ExtensionMode.safeParse(String(lastDays)).data ?? "30";
}

function RenewHostsFields({ hosts }: { hosts: readonly Host[] }) {
  const { control, watch } = useFormContext<RenewHostsForm>();
  const values = watch();

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <FormField control={control} name="mode" label="续费方式" required>
        {({ value, onChange }) => (
          <SegmentedControl
            aria-label="续费方式"
            className="w-full"
            value={value}
            onValueChange={onChange}
            segments={MODES}
          />
        )}
      </FormField>
      {values.mode === "day" ? (
        <FormField
          control={control}
          name="day"
          label={`统一到期日${ZONE_SUFFIX}`}
          required
          help="所有主机在这一天到期"
        >
          {(field) => (
            <DateInput type="date" min={formatDate(serverNow() + DAY_SECONDS)} {...field} />
          )}
        </FormField>
      ) : null}
      <ul
        aria-label="续费后的到期时间"
        className="max-h-60 divide-y overflow-y-auto rounded-md border"
      >
        {hosts.map((host) => (
          <PreviewLine key={host.id} host={host} values={values} />
        ))}
      </ul>
      <FormField control={control} name="remark" label="备注">
        {(field) => <Textarea rows={2} placeholder="选填，最多 500 个字符" {...field} />}
      </FormField>
    </div>
  );
}

const MODES = [
  ...(["30", "90", "180", "365"] as const).map((value) => ({ value, label: `${value} 天` })),
  { value: "day" as const, label: "同一天" },
];

/** The present expiry of a host, and the one to come with the days between, if it can be. */
function PreviewLine({ host, values }: { host: Host; values: RenewHostsForm }) {
  const now = useNow();
  const expiry = host.expireTime ?? now;

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-0.5 px-3 py-2 text-sm tabular-nums">
      <span className="min-w-0 truncate font-medium" title={hostTitle(host)}>
        {hostTitle(host)}
      </span>
      <span className="text-muted-foreground">
        {formatExpiry(expiry, now)}
        <NewExpiry extension={extensionOf(values, expiry, now)} />
      </span>
    </li>
  );
}

function NewExpiry({ extension }: { extension: Extension | null }) {
  if (extension === null) return null;
  if (!extension.isPossible) return <span className="text-danger-ink"> 不能续到这一天</span>;

  return (
    <span className="text-foreground">
      {" "}
      → {formatDate(extension.end)}（{extension.days} 天）
    </span>
  );
}
