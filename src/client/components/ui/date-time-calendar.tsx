import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { DayPicker } from "react-day-picker";
import { zhCN } from "react-day-picker/locale/zh-CN";
import { currentSeconds } from "@/lib/format";
import { Button, buttonVariants } from "./button";
import { Select } from "./select";

type DateTimeCalendarProps = {
  /** Unix seconds; null for none yet. */
  value: number | null;
  onValueChange: (seconds: number) => void;
  onDone: () => void;
};

/** A month to choose a day from, and the time of that day below it: what is chosen counts at once. */
export function DateTimeCalendar({ value, onValueChange, onDone }: DateTimeCalendarProps) {
  const [openedAt] = useState(currentSeconds);
  const shown = new Date((value ?? openedAt) * 1000);
  const [month, setMonth] = useState(shown);

  function choose(day: Date, hour: number, minute: number): void {
    const chosen = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute);
    onValueChange(Math.floor(chosen.getTime() / 1000));
  }

  function chooseNow(): void {
    setMonth(new Date());
    onValueChange(currentSeconds());
  }

  return (
    <div className="grid gap-3">
      <DayPicker
        mode="single"
        required
        autoFocus
        locale={zhCN}
        showOutsideDays
        fixedWeeks
        month={month}
        onMonthChange={setMonth}
        selected={value === null ? undefined : shown}
        onSelect={(day) => choose(day, shown.getHours(), shown.getMinutes())}
        classNames={look}
        components={{ Chevron: ({ orientation }) => (orientation === "left" ? <ChevronLeft /> : <ChevronRight />) }}
      />
      <div className="flex items-center gap-1.5 border-t pt-3">
        <Select
          aria-label="时"
          size="sm"
          className="w-16"
          value={twoDigits(shown.getHours())}
          onValueChange={(hour) => choose(shown, Number(hour), shown.getMinutes())}
          options={HOURS}
        />
        <span aria-hidden="true">:</span>
        <Select
          aria-label="分"
          size="sm"
          className="w-16"
          value={twoDigits(shown.getMinutes())}
          onValueChange={(minute) => choose(shown, shown.getHours(), Number(minute))}
          options={MINUTES}
        />
        <Button variant="ghost" size="sm" className="ml-auto" onClick={chooseNow}>
          现在
        </Button>
        <Button size="sm" onClick={onDone}>
          确定
        </Button>
      </div>
    </div>
  );
}

const arrow = buttonVariants({ variant: "ghost", size: "sm", icon: true });

const look = {
  months: "relative",
  nav: "absolute inset-x-0 top-0 flex justify-between",
  button_previous: arrow,
  button_next: arrow,
  month_caption: "mb-2 grid h-7 place-items-center font-medium",
  month_grid: "border-collapse",
  weekday: "h-8 w-9 text-sm font-normal text-muted-foreground max-md:w-10",
  day: "group p-0 text-center",
  day_button: [
    "size-9 rounded-md tabular-nums hover:bg-accent max-md:size-10",
    "group-data-today:font-semibold group-[[data-today]:not([data-selected])]:text-primary-ink",
    "group-[[data-outside]:not([data-selected])]:text-subtle-foreground",
    "group-data-selected:bg-primary group-data-selected:text-primary-foreground group-data-selected:hover:bg-primary-hover",
  ].join(" "),
};

const HOURS = counted(24);
const MINUTES = counted(60);

function counted(count: number) {
  return Array.from({ length: count }, (_, number) => ({ value: twoDigits(number), label: twoDigits(number) }));
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
