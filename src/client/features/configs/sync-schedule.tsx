import {
  type Config,
  DEFAULT_SYNC_INTERVAL,
  SYNC_INTERVALS,
  type SyncInterval,
} from "@shared/configs.ts";
import { CalendarSync, KeyRound } from "lucide-react";
import { trpc } from "@/api/trpc";
import { DescriptionList } from "@/components/description-list";
import { pauseText } from "@/components/sync/use-configs";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/native-select";
import { formatAgo, formatDateTime, formatIn } from "@/lib/format";
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

type SyncScheduleProps = {
  config: Config;
  /** Opens the dialog of the keys. */
  onUpdateKeys: () => void;
};

/** When a configuration was synced last and will be synced next, and what keeps it from that. */
export function SyncSchedule({ config, onUpdateKeys }: SyncScheduleProps) {
  const now = useNow();
  const { lastSuccessAt } = config;
  const whyPaused = pauseText(config);

  return (
    <>
      <DescriptionList
        items={[
          { label: "自动同步", value: <IntervalText config={config} /> },
          ...(config.nextSyncAt === null
            ? []
            : [{ label: "下次同步", value: <Moment text={formatIn} at={config.nextSyncAt} /> }]),
          {
            label: "最近成功",
            value:
              lastSuccessAt === null ? (
                "还没有成功过"
              ) : (
                <Moment text={formatAgo} at={lastSuccessAt} />
              ),
          },
        ]}
      />
      {whyPaused === null ? null : (
        <Alert tone="danger" title="自动同步已暂停">
          <p>{`${whyPaused}。`}</p>
          <Button
            variant="outline"
            size="sm"
            className="mt-2"
            aria-describedby={titleIdOf(config)}
            onClick={onUpdateKeys}
          >
            <KeyRound />
            更新密钥
          </Button>
        </Alert>
      )}
      {/* A pause says why; what follows from it need not be said in a second box. */}
      {config.isStale && config.isActive && whyPaused === null ? (
        <Alert tone="warning" title="数据可能已过时">
          {staleText(config, now)}
        </Alert>
      ) : null}
    </>
  );
}

/** `3 小时前 · 2026-12-01 08:30`; only the latter where the former would be its date again. */
function Moment({ text, at }: { text: (at: number, now: number) => string; at: number }) {
  const now = useNow();
  const relative = text(at, now);
  const exact = formatDateTime(at);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} className="tabular-nums">
      {exact.startsWith(relative) ? (
        <span>{exact}</span>
      ) : (
        <>
          <span>{relative}</span>
          <span className="text-muted-foreground">{` · ${exact}`}</span>
        </>
      )}
    </time>
  );
}

function IntervalText({ config }: Pick<SyncScheduleProps, "config">) {
  const { syncIntervalMinutes, schedulePausedReason, isActive } = config;
  if (syncIntervalMinutes === null) return isActive ? <SwitchOn config={config} /> : "关闭";

  const interval = INTERVAL_LABELS[syncIntervalMinutes];
  if (!isActive) return `${interval}（停用期间不同步）`;
  return schedulePausedReason === null ? interval : `${interval}（已暂停）`;
}

/** For a configuration from before there were schedules, or whose schedule was switched off. */
function SwitchOn({ config: { id, name } }: Pick<SyncScheduleProps, "config">) {
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

function staleText({ syncIntervalMinutes, lastSuccessAt }: Config, now: number): string {
  const advice = "请查看最近同步的结果，或立即同步。";
  if (lastSuccessAt === null) return `还没有成功同步过。${advice}`;

  const rule =
    syncIntervalMinutes === null ? "超过一天没有成功的同步" : "连续三个间隔没有成功的同步";
  return `最近一次成功于 ${formatAgo(lastSuccessAt, now)}，${rule}。${advice}`;
}
