import type { Config } from "@shared/configs.ts";
import { Link } from "wouter";
import { CopyableText, Mono } from "@/components/copyable-text";
import { DescriptionList } from "@/components/description-list";
import { Remark } from "@/components/remark";
import { formatNumber } from "@/lib/format-number";
import { regionLabel } from "./region-label";

type ConfigFactsProps = {
  config: Config;
  /** The others whose key is masked alike. */
  lookAlikes: readonly Config[];
};

/** What a configuration reads, with which key, and how much it has found. */
export function ConfigFacts({ config, lookAlikes }: ConfigFactsProps) {
  const remark = config.remark ? <Remark text={config.remark} className="block text-left" /> : null;

  return (
    <DescriptionList
      items={[
        { label: "主机", value: <HostCountLink config={config} /> },
        { label: "公钥", value: <MaskedKey config={config} lookAlikes={lookAlikes} /> },
        { label: "API 地址", value: <CopyableText text={config.apiUrl} label="API 地址" /> },
        { label: "默认地域", value: regionLabel(config.defaultRegion) },
        { label: "项目", value: <Projects ids={config.projectIds} /> },
        ...(remark === null ? [] : [{ label: "备注", value: remark }]),
      ]}
    />
  );
}

function HostCountLink({ config: { id, hostCount } }: Pick<ConfigFactsProps, "config">) {
  return (
    <Link
      href={`/hosts?configId=${id}`}
      className="inline-block py-0.5 text-primary-ink tabular-nums hover:underline"
    >
      {formatNumber(hostCount)} 台
    </Link>
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
