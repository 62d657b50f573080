import { CalendarDays } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { formatDateTime, parseDateTime } from "@/lib/format";
import { Button } from "./button";
import { Input, type InputProps } from "./input";
import { Popover, PopoverAnchor, PopoverContent, PopoverTrigger } from "./popover";
import { Spinner } from "./spinner";

const DateTimeCalendar = lazy(() => import("./date-time-calendar").then((m) => ({ default: m.DateTimeCalendar })));

type DateTimePickerProps = Omit<InputProps, "type" | "value" | "onChange" | "trailing" | "placeholder"> & {
  /** As typed; `parseDateTime` in lib/format.ts says what it means. */
  value: string;
  onValueChange: (value: string) => void;
};

/**
 * A local date and time, written as everywhere in the console, or chosen from a calendar. (The browser's own picker would speak the
 * browser's language and write its dates in that.)
 */
export function DateTimePicker({ value, onValueChange, onBlur, className, ...rest }: DateTimePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const moment = parseDateTime(value);
  return (
    <Popover open={isOpen} onOpenChange={setOpen}>
      <PopoverAnchor asChild>
        <div>
          <Input
            {...rest}
            value={value}
            placeholder="2026-12-01 08:30"
            maxLength={30}
            autoComplete="off"
            onChange={(event) => onValueChange(event.target.value)}
            onBlur={(event) => {
              if (moment !== null && formatDateTime(moment) !== value) onValueChange(formatDateTime(moment));
              onBlur?.(event);
            }}
            className={`tabular-nums ${className ?? ""}`}
            trailing={
              <PopoverTrigger asChild>
                <Button variant="ghost" size="sm" icon aria-label="打开日历" disabled={rest.disabled}>
                  <CalendarDays />
                </Button>
              </PopoverTrigger>
            }
          />
        </div>
      </PopoverAnchor>
      <PopoverContent align="end" aria-label="选择日期和时间" className="w-auto p-3">
        <Suspense fallback={<Spinner className="h-80 w-63 items-center justify-center" />}>
          <DateTimeCalendar
            value={moment}
            onValueChange={(seconds) => onValueChange(formatDateTime(seconds))}
            onDone={() => setOpen(false)}
          />
        </Suspense>
      </PopoverContent>
    </Popover>
  );
}
