import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLocation } from "wouter";
import { ChartTooltip } from "@/components/ui/chart";
import { REGION_SERIES, type RegionRow } from "./region-rows";

/** As high as the rows of names and totals on either side of it. */
const ROW_HEIGHT = 28;

/** A click leads to the list; for the keyboard there are the names beside it. */
export function RegionBars({ rows }: { rows: readonly RegionRow[] }) {
  const [, navigate] = useLocation();
  const open = (row: RegionRow | undefined, status: string | null) => {
    if (row?.href) navigate(status === null ? row.href : `${row.href}&status=${status}`);
  };
  return (
    <ResponsiveContainer width="100%" height={rows.length * ROW_HEIGHT}>
      <BarChart
        layout="vertical"
        data={rows}
        margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <XAxis type="number" hide domain={[0, "dataMax"]} />
        <YAxis type="category" dataKey="name" hide />
        <Tooltip
          cursor={{ fill: "var(--accent)" }}
          isAnimationActive={false}
          content={({ active, label, payload }) =>
            active ? (
              <ChartTooltip
                title={String(label)}
                rows={REGION_SERIES.map((series, index) => ({ ...series, value: Number(payload[index]?.value ?? 0) }))}
              />
            ) : null
          }
        />
        {REGION_SERIES.map(({ key, fill, status }) => (
          <Bar
            key={key}
            dataKey={key}
            stackId="hosts"
            fill={fill}
            stroke="var(--card)"
            barSize={14}
            radius={3}
            isAnimationActive={false}
            onClick={({ originalDataIndex }) => open(rows[originalDataIndex], status)}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
