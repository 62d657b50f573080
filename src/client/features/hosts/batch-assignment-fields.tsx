import type { Host } from "@shared/hosts.ts";
import { useController, useFormContext } from "react-hook-form";
import { holdersOf } from "@/components/assignments/holders";
import { readPeriod } from "@/components/assignments/period";
import { hostTitle } from "@/components/hosts/host-facts";
import { Alert } from "@/components/ui/alert";
import { Checkbox } from "@/components/ui/checkbox";
import { formatDate } from "@/lib/format";
import { formatNumber } from "@/lib/format-number";
import { useNow } from "@/lib/use-now";
import { type AssignmentForm, hostsEndingLater, periodFields } from "./assignment";
import { AssignmentFields } from "./assignment-fields";

type BatchAssignment = AssignmentForm & { allowShorter: boolean };

/**
 * The fields of one assignment for many hosts. Those that the user has for longer keep their end
 * unless it is chosen.
 */
export function BatchAssignmentFields({ hosts }: { hosts: readonly Host[] }) {
  const values = useFormContext<BatchAssignment>().watch();
  const period = readPeriod(periodFields(values), undefined, useNow());
  const later = period.kind === "period" ? hostsEndingLater(hosts, values.userId, period.end) : [];
  const hasSome = holdersOf(hosts).some(({ user }) => user.id === values.userId);
  const laterIds = new Set(later.map(({ host }) => host.id));
  const changed = values.allowShorter ? hosts : hosts.filter(({ id }) => !laterIds.has(id));

  return (
    <AssignmentFields hosts={hosts} changed={changed}>
      <div className="grid gap-2" aria-live="polite">
        {later.length === 0 ? null : <LaterEnds later={later} willShorten={values.allowShorter} />}
        {hasSome && values.sharing !== "transfer" ? <AllowShorter /> : null}
      </div>
    </AssignmentFields>
  );
}

type LaterEndsProps = { later: ReturnType<typeof hostsEndingLater>; willShorten: boolean };

function LaterEnds({ later, willShorten }: LaterEndsProps) {
  const outcome = willShorten ? "将缩短到这次的到期时间" : "将保持不变";
  return (
    <Alert
      tone="warning"
      title={`其中 ${formatNumber(later.length)} 台主机现有的有效期更长，${outcome}`}
    >
      {/* A long list scrolls by keyboard. */}
      <ul
        aria-label="现有有效期更长的主机"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-32 overflow-y-auto tabular-nums"
      >
        {later.map(({ host, presentEnd }) => (
          <li key={host.id} className="[overflow-wrap:anywhere]">
            {hostTitle(host)} <span className="font-mono text-xs">{host.ucloudId}</span>：到{" "}
            {formatDate(presentEnd)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/**
 * Also where no end is known to be later: what the page knows of the hosts may be older than a
 * renewal.
 */
function AllowShorter() {
  const { field } = useController<BatchAssignment, "allowShorter">({ name: "allowShorter" });
  return (
    <div className="flex items-center gap-2 text-sm">
      <Checkbox
        id="allow-shorter"
        ref={field.ref}
        checked={field.value}
        onCheckedChange={(checked) => field.onChange(checked === true)}
      />
      <label htmlFor="allow-shorter">也缩短现有有效期更长的主机</label>
    </div>
  );
}
