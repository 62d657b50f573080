import { cn } from "@/lib/cn";

const sizes = { md: "size-8 text-sm", lg: "size-11 text-lg" } as const;

/**
 * The last character of a Chinese name before a bracket, the first letter of another. Decoration:
 * the name stands beside it.
 */
export function Avatar({ name, size = "md" }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      data-slot="avatar"
      aria-hidden="true"
      data-initial={initial(name)}
      className={cn(
        "inline-grid shrink-0 place-items-center rounded-full bg-primary-soft font-medium text-primary-ink select-none before:content-[attr(data-initial)]",
        sizes[size],
      )}
    />
  );
}

function initial(name: string): string {
  const characters = Array.from(name.replace(/[（(].*/, "").trim());
  const last = characters.at(-1);
  if (last !== undefined && /\p{Script=Han}/u.test(last)) return last;
  return (characters[0] ?? "?").toUpperCase();
}
