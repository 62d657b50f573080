import {
  type Config,
  DEFAULT_SYNC_INTERVAL,
  SYNC_INTERVALS,
  type SyncInterval,
} from "@shared/configs.ts";
import { CalendarSync } from "lucide-react";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/native-select";
import { formatDateTime, formatIn } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useNow } from "@/lib/use-now";
import { titleIdOf } from "./title-id";

const INTERVAL_LABELS: Readonly<Record<SyncInterval, string>> = {
  15: "每 15 分钟",
  60: "每小时",
  360: "每 6 小时",
  1440: "每天",
};
const OFF = "off";
const OPTIONS = [
  { value: OFF, label: "关闭" },
  ...SYNC_INTERVALS.map((minutes) => ({ value: `${minutes}`, label: INTERVAL_LABELS[minutes] })),
];

type IntervalSelectProps = {
  value: SyncInterval | null;
  onValueChange: (interval: SyncInterval | null) => void;
};

/** How often a configuration is synced by itself; null is never. */
export function IntervalSelect({ value, onValueChange }: IntervalSelectProps) {
  return (
    <NativeSelect
      value={value === null ? OFF : `${value}`}
      onValueChange={(chosen) =>
        onValueChange(SYNC_INTERVALS.find((minutes) => `${minutes}` === chosen) ?? null)
      }
      options={OPTIONS}
    />
  );
}

/** How often a configuration is synced by itself, and when it is next. */
export function IntervalText({ config }: { config: Config }) {
  const now = useNow();
  const { syncIntervalMinutes, nextSyncAt, isActive } = config;
  if (syncIntervalMinutes === null) return isActive ? <SwitchOn config={config} /> : "关闭";

  return (
    <>
      <span className="block py-0.5">{intervalLabel(config, syncIntervalMinutes)}</span>
      {nextSyncAt === null ? null : (
        <span title={formatDateTime(nextSyncAt)} className="block text-xs text-muted-foreground">
          下次 {formatIn(nextSyncAt, now)}
        </span>
      )}
    </>
  );
}

function intervalLabel({ isActive, schedulePausedReason }: Config, minutes: SyncInterval): string {
  const label = INTERVAL_LABELS[minutes];
  if (!isActive) return `${label}（停用期间不同步）`;
  return schedulePausedReason === null ? label : `${label}（已暂停）`;
}

/** For a configuration from before there were schedules, or whose schedule was switched off. */
function SwitchOn({ config: { id, name } }: { config: Config }) {
  const update = trpc.configs.update.useMutation({
    meta: { errorTitle: "开启失败" },
    onSuccess: () =>
      notify.success("已开启自动同步", {
        message: `“${name}”${INTERVAL_LABELS[DEFAULT_SYNC_INTERVAL]}同步一次`,
      }),
  });

  return (
    <span className="inline-flex items-center gap-2">
      <span className="text-muted-foreground">关闭</span>
      <Button
        variant="outline"
        size="sm"
        loading={update.isPending}
        aria-describedby={titleIdOf({ id })}
        onClick={() => update.mutate({ id, syncIntervalMinutes: DEFAULT_SYNC_INTERVAL })}
      >
        <CalendarSync />
        开启自动同步
      </Button>
    </span>
  );
}
