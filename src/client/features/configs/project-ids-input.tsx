import { CONFIG_LIMITS } from "@shared/configs.ts";
import { Plus, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

type ProjectIdsInputProps = {
  value: readonly string[];
  onValueChange: (ids: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
};

const SEPARATORS = /[\s,，;；、]+/;

/** A list of project ids. Enter or a separator adds the text, a pasted list is split, backspace in the empty input removes the last id. */
export function ProjectIdsInput({ value, onValueChange, onBlur, ref }: ProjectIdsInputProps) {
  const [text, setText] = useState("");

  function add(typed: string): void {
    const ids = typed.split(SEPARATORS).filter((id) => id !== "");
    if (ids.length > 0) onValueChange([...new Set([...value, ...ids])].slice(0, CONFIG_LIMITS.projects));
    setText("");
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      // Also when nothing is typed, or the key would submit the form.
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && value.length > 0) {
      onValueChange(value.slice(0, -1));
    }
  }

  return (
    <div className="grid gap-2">
      <div className="flex gap-2">
        <Input
          ref={ref}
          className="font-mono"
          placeholder="org-xxxxxx"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => (SEPARATORS.test(target.value) ? add(target.value) : setText(target.value))}
          onKeyDown={onKeyDown}
          onBlur={() => {
            add(text);
            onBlur?.();
          }}
        />
        <Button variant="outline" icon aria-label="添加项目" onClick={() => add(text)}>
          <Plus aria-hidden="true" />
        </Button>
      </div>
      {value.length > 0 ? (
        <ul aria-label="已添加的项目" className="flex flex-wrap gap-1.5">
          {value.map((id) => (
            <li
              key={id}
              className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm border bg-muted pl-2 font-mono text-xs"
            >
              <span className="truncate">{id}</span>
              <button
                type="button"
                aria-label={`移除项目 ${id}`}
                onClick={() => onValueChange(value.filter((other) => other !== id))}
                className="grid size-6 shrink-0 place-items-center text-muted-foreground hover:text-foreground"
              >
                <X aria-hidden="true" className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
