import { Tags } from "@shared/annotations.ts";
import type { ReactNode } from "react";
import { ChipsField } from "@/components/chips/chips-field";
import type { Suggestion } from "@/components/chips/suggestions";

type TagsFieldProps = {
  label: string;
  placeholder: string;
  help?: ReactNode;
  values: readonly string[];
  suggestions: readonly Suggestion[];
  error?: string | undefined;
  onChange: (tags: string[]) => void;
  className?: string;
};

/** Tags by the rules of the server, with completion. */
export function TagsField({ label, placeholder, error, ...field }: TagsFieldProps) {
  return (
    <ChipsField
      {...field}
      label={label}
      listLabel={`${label}的列表`}
      error={error}
      textOf={(tag) => tag}
      valueOf={(typed) => typed}
      separator={COMMA}
      schema={Tags}
      isWide
      input={{ placeholder }}
    />
  );
}

const COMMA = /[,，]/;
