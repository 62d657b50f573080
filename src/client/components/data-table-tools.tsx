import { Columns3, Rows3, Rows4, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { createPortal } from "react-dom";
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
import { Kbd } from "@/components/ui/kbd";
import type { Density } from "@/components/ui/table";
import { DOCK_ID } from "@/lib/dock";
import { formatNumber } from "@/lib/format-number";
import { useHotkey } from "@/lib/use-hotkey";
import { useSingleKeys } from "@/session/single-keys";

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
 * At the foot of the window while something is selected, however short or long the page is: it is
 * drawn in the dock of the frame, which keeps what is above it in sight. The key B leads to its
 * first action, however many rows lie between.
 */
export function SelectionBar(props: SelectionBarProps) {
  const dock = document.getElementById(DOCK_ID);
  return props.count === 0 || dock === null ? null : createPortal(<DockedBar {...props} />, dock);
}

function DockedBar({ count, unit, onClear, children }: SelectionBarProps) {
  const bar = useRef<HTMLElement>(null);
  const [areSingleKeysOn] = useSingleKeys();
  useHotkey("b", () => {
    const [clear, ...actions] = bar.current?.querySelectorAll("button:enabled") ?? [];
    const target = actions[0] ?? clear;
    if (target instanceof HTMLElement) target.focus();
  });

  return (
    <section
      ref={bar}
      data-slot="selection-bar"
      aria-label="批量操作"
      aria-keyshortcuts={areSingleKeysOn ? "B" : undefined}
      className="flex flex-wrap items-center gap-2 border-t border-border-strong bg-popover px-4 py-2 shadow-lg md:px-6 print:hidden"
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
      {areSingleKeysOn ? (
        <p className="ml-auto flex items-center gap-1.5 text-xs text-muted-foreground max-lg:hidden">
          <Kbd>B</Kbd>
          <span>到批量操作</span>
        </p>
      ) : null}
    </section>
  );
}
