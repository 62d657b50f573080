import { Columns3, Rows3, Rows4, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Column } from "@/components/data-table";
import { SegmentedControl } from "@/components/segmented-control";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { Density } from "@/components/ui/table";
import { formatNumber } from "@/lib/format-number";

type ColumnChooserProps = {
  columns: readonly Pick<Column<never>, "id" | "header" | "enableHiding">[];
  /** By the id; a column that it does not name is shown. */
  visibility: Readonly<Record<string, boolean>>;
  onChange: (visibility: Record<string, boolean>) => void;
};

export function ColumnChooser({ columns, visibility, onChange }: ColumnChooserProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline">
          <Columns3 />列
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuLabel>显示的列</DropdownMenuLabel>
        {columns
          .filter(({ enableHiding = true }) => enableHiding)
          .map(({ id, header }) => (
            <DropdownMenuCheckboxItem
              key={id}
              checked={visibility[id] !== false}
              onCheckedChange={(checked) => onChange({ ...visibility, [id]: checked === true })}
              onSelect={(event) => event.preventDefault()}
            >
              {header}
            </DropdownMenuCheckboxItem>
          ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

type DensityToggleProps = { density: Density; onDensityChange: (density: Density) => void };

export function DensityToggle({ density, onDensityChange }: DensityToggleProps) {
  return (
    <SegmentedControl
      aria-label="行高"
      iconsOnly
      value={density}
      onValueChange={onDensityChange}
      segments={[
        { value: "comfortable", label: "宽松", icon: <Rows3 /> },
        { value: "compact", label: "紧凑", icon: <Rows4 /> },
      ]}
    />
  );
}

type SelectionBarProps = {
  count: number;
  /** What is counted, with its measure word: "台主机". */
  unit: string;
  onClear: () => void;
  children: ReactNode;
};

/**
 * Rises at the foot of the window while something is selected; by its slot the frame knows to leave
 * room for it.
 */
export function SelectionBar({ count, unit, onClear, children }: SelectionBarProps) {
  if (count === 0) return null;
  return (
    <section
      data-slot="selection-bar"
      aria-label="批量操作"
      className="print:hidden fixed inset-x-3 bottom-4 z-40 mx-auto flex w-fit max-w-[calc(100vw-1.5rem)] animate-rise-in flex-wrap items-center gap-2 rounded-md border border-border-strong bg-popover p-2 shadow-lg"
    >
      <Button variant="ghost" icon aria-label="取消选择" onClick={onClear}>
        <X />
      </Button>
      <p role="status" className="mr-2 font-medium tabular-nums">
        {/* One text, which React replaces as a whole: of several, a translated page would keep the
            old number. */}
        {`已选 ${formatNumber(count)} ${unit}`}
      </p>
      {children}
    </section>
  );
}
