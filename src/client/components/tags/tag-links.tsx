import { Link } from "wouter";
import { cn } from "@/lib/cn";

type TagLinksProps = {
  tags: readonly string[];
  className?: string;
};

/** The tags of a host; each narrows the list of hosts to those that have it. */
export function TagLinks({ tags, className }: TagLinksProps) {
  if (tags.length === 0) return null;

  return (
    <ul aria-label="标签" className={cn("flex min-w-0 flex-wrap gap-1", className)}>
      {tags.map((tag) => (
        <li key={tag} className="flex max-w-full min-w-0">
          <Link
            href={`/hosts?${new URLSearchParams({ tag })}`}
            title={`只看标签为“${tag}”的主机`}
            className="inline-flex h-6 min-w-6 max-w-full items-center rounded-sm border bg-secondary px-1.5 text-xs text-secondary-foreground hover:border-border-strong hover:bg-secondary-hover"
          >
            <span className="truncate">{tag}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
