import { type KeyboardEvent, type ReactNode, Suspense, useId, useRef, useState } from "react";
import type { z } from "zod";
import { Field } from "@/components/ui/field";
import { Input, type InputProps } from "@/components/ui/input";
import { cn } from "@/lib/cn";
import { isComposing } from "@/lib/composition";
import { lazyPage } from "@/lib/lazy";
import { Chip } from "./chip";
import { matchingSuggestions, type Suggestion, suggestionId } from "./suggestions";
import { useSuggestionList } from "./use-suggestion-list";

// Days before an end have no suggestions.
const SuggestionList = lazyPage(() => import("./suggestion-list").then((m) => m.SuggestionList));

type ChipsFieldProps<Value> = {
  label: string;
  /** The name of the list of chips. */
  listLabel: string;
  help?: ReactNode;
  values: readonly Value[];
  /** What stands on the chip; no two values have the same. */
  textOf: (value: Value) => string;
  /** What a typed text means; a text that means nothing gives what the schema refuses. */
  valueOf: (typed: string) => Value;
  /** Between typed texts; it adds the one before it. */
  separator: RegExp;
  schema: z.ZodType<Value[]>;
  /** What the server, or the form around it, said of the values. */
  error: string | undefined;
  onChange: (values: Value[]) => void;
  /** The texts of values that are in use elsewhere. */
  suggestions?: readonly Suggestion[];
  className?: string;
  /** What is typed has the rest of the line, for texts of some length. */
  isWide?: boolean;
  input: Pick<InputProps, "placeholder" | "inputMode" | "rewrite">;
};

/**
 * Several values as chips. Enter, a separator or leaving the field adds what is typed, Backspace in
 * the empty field removes the last one. With suggestions the arrow keys reach those that match.
 */
export function ChipsField<Value>(props: ChipsFieldProps<Value>) {
  const { label, values, textOf, onChange, separator, suggestions = NO_SUGGESTIONS } = props;
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const [announcement, setAnnouncement] = useState("");
  const list = useSuggestionList(matchingSuggestions(suggestions, text, values.map(textOf)));

  /** @returns whether nothing that was typed is left */
  function add(typed: string): boolean {
    const added = textsIn(typed, separator).map(props.valueOf);
    list.close();
    if (added.length === 0) {
      setText("");
      return true;
    }

    const checked = props.schema.safeParse([...values, ...added]);
    setText(checked.success ? "" : typed);
    setRefusal(checked.error?.issues[0]?.message);
    if (!checked.success) return false;

    setAnnouncement(`已添加${added.map(textOf).join("、")}`);
    onChange(checked.data);
    return true;
  }

  function remove(removed: Value): void {
    setRefusal(undefined);
    setAnnouncement(`已移除${textOf(removed)}`);
    onChange(values.filter((value) => value !== removed));
    // The button that had the focus is gone.
    input.current?.focus();
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event.nativeEvent)) return;

    const last = values.at(-1);
    if (event.key === "Enter") {
      const isAdded = add(list.matching[list.active]?.text ?? text);
      // With Ctrl it sends the form as well.
      const isSent = event.ctrlKey || event.metaKey;
      if (!isSent || !isAdded) event.preventDefault();
    } else if (event.key === "Backspace" && text === "" && last !== undefined) {
      remove(last);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      list.move(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  function changeText(typed: string): void {
    setRefusal(undefined);
    list.open();
    if (separator.test(typed)) add(typed);
    else setText(typed);
  }

  return (
    <Field
      label={label}
      help={props.help}
      error={refusal ?? props.error}
      {...(props.className === undefined ? {} : { className: props.className })}
    >
      <div className="flex flex-wrap items-center gap-1.5">
        <ul aria-label={props.listLabel} className="contents">
          {values.map((value) => (
            <Chip key={textOf(value)} text={textOf(value)} onRemove={() => remove(value)} />
          ))}
        </ul>
        <div ref={box} className={cn("max-w-full", props.isWide ? "min-w-44 flex-1" : "w-44")}>
          <Input
            ref={input}
            autoComplete="off"
            {...props.input}
            {...(suggestions === NO_SUGGESTIONS
              ? {}
              : {
                  role: "combobox",
                  "aria-autocomplete": "list",
                  "aria-expanded": list.isOpen,
                  "aria-controls": list.isOpen ? listId : undefined,
                  "aria-activedescendant":
                    list.active >= 0 ? suggestionId(listId, list.active) : undefined,
                })}
            value={text}
            onChange={({ target }) => changeText(target.value)}
            onKeyDown={handleKey}
            onClick={list.open}
            onBlur={() => add(text)}
          />
        </div>
        {list.isOpen ? (
          <Suspense>
            <SuggestionList
              id={listId}
              label={`可选的${label}`}
              anchor={box}
              onClose={list.close}
              suggestions={list.matching}
              active={list.active}
              onChoose={({ text: chosen }) => add(chosen)}
            />
          </Suspense>
        ) : null}
        <span role="status" className="sr-only">
          {announcement}
        </span>
      </div>
    </Field>
  );
}

const NO_SUGGESTIONS: readonly Suggestion[] = [];

function textsIn(typed: string, separator: RegExp): string[] {
  const parts = typed.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}
