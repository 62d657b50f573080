import type { Config } from "@shared/configs.ts";
import { ChevronRight } from "lucide-react";
import { CopyableText, Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { Remark } from "@/components/remark";
import { formatAgo, formatDateTime, formatIn, formatYuan } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { regionLabel } from "./region-label";
import { titleIdOf } from "./title-id";

type ConfigFactsProps = {
  config: Config;
  /** The others whose key is masked alike. */
  lookAlikes: readonly Config[];
};

/** What a configuration reads, with which key, and when; folded until somebody wants to know. */
export function ConfigFacts({ config, lookAlikes }: ConfigFactsProps) {
  const { lastSuccessAt, nextSyncAt, balance, balanceAlert, remark } = config;
  const hidden = { label: "", value: null };
  const items = [
    { label: "公钥", value: <MaskedKey config={config} lookAlikes={lookAlikes} /> },
    { label: "API 地址", value: <CopyableText text={config.apiUrl} label="API 地址" /> },
    { label: "默认地域", value: regionLabel(config.defaultRegion) },
    { label: "项目", value: <Projects ids={config.projectIds} /> },
    nextSyncAt === null
      ? hidden
      : { label: "下次同步", value: <Moment text={formatIn} at={nextSyncAt} /> },
    {
      label: "最近成功",
      value:
        lastSuccessAt === null ? "还没有成功过" : <Moment text={formatAgo} at={lastSuccessAt} />,
    },
    balance === null
      ? hidden
      : { label: "余额读取时间", value: <Moment text={formatAgo} at={balance.at} /> },
    { label: "余额预警", value: balanceAlert === null ? "未开启" : formatYuan(balanceAlert) },
    remark
      ? { label: "备注", value: <Remark text={remark} className="block text-left" /> }
      : hidden,
  ];

  return (
    <details className="group/facts">
      <summary
        aria-describedby={titleIdOf(config)}
        className="flex min-h-7 w-fit list-none items-center gap-1 rounded-sm text-sm text-muted-foreground hover:text-foreground [&::-webkit-details-marker]:hidden"
      >
        <ChevronRight className="size-4 transition-transform group-open/facts:rotate-90" />
        详细信息
      </summary>
      <DescriptionList className="pt-1" items={items.filter((item) => item !== hidden)} />
    </details>
  );
}

/** Masked, the keys of two accounts may look the same: then the card says what sets them apart. */
function MaskedKey({ config: { publicKey, projectIds }, lookAlikes }: ConfigFactsProps) {
  const names = lookAlikes.map(({ name }) => `“${name}”`).join("、");
  const projects = projectIds.length === 0 ? "全部项目" : `项目 ${projectIds.join("，")}`;

  return (
    <>
      <Mono>{publicKey}</Mono>
      {names === "" ? null : (
        <span className="block text-xs text-muted-foreground">
          首尾与{names}相同；这一个读取{projects}
        </span>
      )}
    </>
  );
}

function Projects({ ids }: { ids: readonly string[] }) {
  return ids.length === 0 ? "密钥可见的全部项目" : <Mono>{ids.join("，")}</Mono>;
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
