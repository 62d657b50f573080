import {
  type Config,
  DEFAULT_SYNC_INTERVAL,
  SYNC_INTERVALS,
  type SyncInterval,
} from "@shared/configs.ts";
import { CalendarSync } from "lucide-react";
import { trpc } from "@/api/trpc";
import { Button } from "@/components/ui/button";
import { NativeSelect, type NativeSelectProps } from "@/components/ui/native-select";
import { formatDateTime, formatIn } from "@/lib/format";
import { notify } from "@/lib/notify";
import { useNow } from "@/lib/use-now";
import { Note } from "./note";
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

type IntervalSelectProps = Pick<NativeSelectProps<string>, "size" | "aria-label"> & {
  value: SyncInterval | null;
  onValueChange: (interval: SyncInterval | null) => void;
};

/** How often a configuration is synced by itself; null is never. */
export function IntervalSelect({ value, onValueChange, ...rest }: IntervalSelectProps) {
  return (
    <NativeSelect
      {...rest}
      value={value === null ? OFF : `${value}`}
      onValueChange={(chosen) =>
        onValueChange(SYNC_INTERVALS.find((minutes) => `${minutes}` === chosen) ?? null)
      }
      options={OPTIONS}
    />
  );
}

/** How often a configuration is synced by itself, to be chosen anew, and when it is next. */
export function ConfigInterval({ config }: { config: Config }) {
  const { syncIntervalMinutes, isActive } = config;
  if (syncIntervalMinutes === null) return isActive ? <SwitchOn config={config} /> : "关闭";

  return (
    <>
      <SavedInterval config={config} />
      <NextSync config={config} />
    </>
  );
}

/** Saves what is chosen; what is refused leaves the interval as it was. */
function SavedInterval({ config: { id, name, syncIntervalMinutes } }: { config: Config }) {
  const update = trpc.configs.update.useMutation({
    // Of two choices in quick succession the later one must win.
    scope: { id: `interval:${id}` },
    meta: { errorTitle: "更新失败" },
    onSuccess: (saved) =>
      notify.success("更新成功", { id: `interval:${id}`, message: `配置“${saved.name}”已更新` }),
  });
  const chosen = update.isPending ? update.variables.syncIntervalMinutes : undefined;

  return (
    <IntervalSelect
      size="sm"
      aria-label={`自动同步 ${name}`}
      value={chosen === undefined ? syncIntervalMinutes : chosen}
      onValueChange={(minutes) => update.mutate({ id, syncIntervalMinutes: minutes })}
    />
  );
}

function NextSync({ config }: { config: Config }) {
  const now = useNow();
  const { nextSyncAt, isActive, schedulePausedReason } = config;
  if (!isActive) return <Note>停用期间不同步</Note>;
  if (schedulePausedReason !== null) return <Note>已暂停</Note>;
  if (nextSyncAt === null) return null;

  return <Note title={formatDateTime(nextSyncAt)}>下次 {formatIn(nextSyncAt, now)}</Note>;
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
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="whitespace-nowrap text-muted-foreground">关闭</span>
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
