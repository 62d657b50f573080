import type { MonthlyExpiries } from "@shared/host-summary.ts";
import { Bar, BarChart, CartesianGrid, LabelList, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { ChartTooltip } from "@/components/ui/chart";
import { formatNumber } from "@/lib/format-number";

export function ExpiryBars({ months }: { months: readonly MonthlyExpiries[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={months} margin={{ top: 20, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--border)" />
        <YAxis hide tickCount={5} allowDecimals={false} />
        <XAxis dataKey="month" interval={0} height={36} tickLine={false} axisLine={false} tick={MonthTick} />
        <Tooltip
          cursor={{ fill: "var(--accent)" }}
          isAnimationActive={false}
          content={({ active, label, payload }) =>
            active ? (
              <ChartTooltip
                title={String(label).replace("-", " 年 ").concat(" 月")}
                rows={[{ label: "到期", value: Number(payload[0]?.value ?? 0), colour: "bg-chart-1" }]}
              />
            ) : null
          }
        />
        <Bar dataKey="count" fill="var(--chart-1)" radius={[4, 4, 0, 0]} maxBarSize={28} isAnimationActive={false}>
          <LabelList
            dataKey="count"
            position="top"
            offset={6}
            className="fill-muted-foreground text-xs tabular-nums"
            formatter={(count) => (Number(count) === 0 ? "" : formatNumber(Number(count)))}
          />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}

type MonthTickProps = { x?: number | string; y?: number | string; index?: number; payload?: { value: string } };

/** The year stands below the first month and below every January. */
function MonthTick({ x = 0, y = 0, index = 0, payload }: MonthTickProps) {
  const [year = "", month = ""] = (payload?.value ?? "").split("-");
  return (
    <text x={x} y={y} textAnchor="middle" className="fill-muted-foreground text-[0.6875rem] tabular-nums">
      <tspan x={x} dy="0.9em">
        {Number(month)}月
      </tspan>
      {index === 0 || month === "01" ? (
        <tspan x={x} dy="1.4em" className="fill-subtle-foreground">
          {year}
        </tspan>
      ) : null}
    </text>
  );
}
