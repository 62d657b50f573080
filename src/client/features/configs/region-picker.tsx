import { knownRegions } from "@shared/regions.ts";
import { type Ref, useState } from "react";
import { Combobox } from "@/components/combobox";
import { regionLabel } from "./region-label";

type RegionPickerProps = {
  value: string;
  onValueChange: (region: string) => void;
  ref: Ref<HTMLButtonElement>;
};

/**
 * A code that we do not know may be typed: the provider opens regions faster than we learn of them.
 */
export function RegionPicker({ value, onValueChange, ref }: RegionPickerProps) {
  const [search, setSearch] = useState("");
  const term = search.trim().toLowerCase();
  const matching = knownRegions().filter((region) =>
    regionLabel(region).toLowerCase().includes(term),
  );
  const typed = /^[a-z0-9-]{2,50}$/.test(term) && !knownRegions().includes(term) ? [term] : [];

  return (
    <Combobox
      ref={ref}
      value={value}
      selectedLabel={regionLabel(value)}
      onValueChange={(region) => onValueChange(region ?? "")}
      onSearchChange={setSearch}
      options={[
        ...matching.map((region) => ({ value: region, label: regionLabel(region) })),
        ...typed.map((region) => ({
          value: region,
          label: region,
          description: "使用输入的地域代码",
        })),
      ]}
      searchPlaceholder="搜索地域名称或代码"
      emptyText="没有匹配的地域"
    />
  );
}
