import type { Host } from "@shared/hosts.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { useFormContext } from "react-hook-form";
import { z } from "zod";
import { DateInput, INCOMPLETE, incompleteDate } from "@/components/date-input";
import { FormField } from "@/components/form-field";
import { providerExpiryWarning } from "@/components/hosts/provider-expiry-warning";
import { Alert } from "@/components/ui/alert";
import { ZONE_SUFFIX } from "@/lib/browser-zone";
import { formatDate, parseDateTime } from "@/lib/format";
import { serverNow } from "@/lib/server-time";
import { HostActDialog, type HostActProps } from "./host-act-dialog";

const EndDateForm = z.object({ endDate: z.string() }).superRefine(({ endDate }, context) => {
  if (endOfDay(endDate) !== null) return;

  const message = endDate === INCOMPLETE ? incompleteDate("到期日") : "请选择到期日";
  context.addIssue({ code: "custom", path: ["endDate"], message });
});

/** The last second of a day in Shanghai, in Unix seconds; null until one is chosen. */
function endOfDay(day: string): number | null {
  const start = parseDateTime(`${day}T00:00`);
  return start === null ? null : start + DAY_SECONDS - 1;
}

/** One last day for chosen hosts of a user, sooner or later than the present ones. */
export function EndDateDialog(props: HostActProps) {
  const { user, subject: hosts } = props;
  return (
    <HostActDialog
      {...props}
      act="修改到期日"
      variant="primary"
      schema={EndDateForm}
      defaultValues={{ endDate: "" }}
      toInput={({ endDate }, hostIds) => ({
        operation: "assign",
        hostIds,
        userId: user.id,
        assignedExpireTime: endOfDay(endDate) ?? 0,
        allowShorter: true,
      })}
    >
      <EndDateField hosts={hosts} />
    </HostActDialog>
  );
}

function EndDateField({ hosts }: { hosts: readonly Host[] }) {
  const { control, watch } = useFormContext<z.infer<typeof EndDateForm>>();
  const end = endOfDay(watch("endDate"));
  const warning = end === null ? null : providerExpiryWarning(hosts, end);

  return (
    <>
      <FormField
        control={control}
        name="endDate"
        label={`到期日${ZONE_SUFFIX}`}
        required
        help="当天结束时到期；开始时间不变"
      >
        {(field) => (
          <DateInput type="date" min={formatDate(serverNow() + DAY_SECONDS)} {...field} />
        )}
      </FormField>
      {warning === null ? null : (
        <Alert tone="warning" live>
          {warning}
        </Alert>
      )}
    </>
  );
}
