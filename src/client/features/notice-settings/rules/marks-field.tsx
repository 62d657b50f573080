import type { ReminderSettings } from "@shared/reminders.ts";
import type { z } from "zod";
import { ChipsField } from "@/components/chips/chips-field";
import { halfWidthCode } from "@/lib/half-width";
import { markText } from "./rule-texts";

type Marks = ReminderSettings["assignmentMarks"];

type MarksFieldProps = {
  label: string;
  help: string;
  marks: Marks;
  /** The server's rules of these marks. */
  schema: z.ZodType<Marks>;
  /** What the server said of them. */
  error: string | undefined;
  onChange: (marks: Marks) => void;
};

/** Days before an end. What is no number becomes NaN, which the rules refuse. */
export function MarksField({ label, marks, ...field }: MarksFieldProps) {
  return (
    <ChipsField
      {...field}
      label={label}
      listLabel={`${label}的天数`}
      values={marks}
      textOf={markText}
      valueOf={Number}
      separator={SEPARATOR}
      input={{ inputMode: "numeric", placeholder: "添加天数", rewrite: halfWidthCode }}
    />
  );
}

const SEPARATOR = /[\s,，、;；]/;
