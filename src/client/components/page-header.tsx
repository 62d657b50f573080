import type { ReactNode } from "react";

type PageHeaderProps = {
  title: string;
  description?: ReactNode;
  aside?: ReactNode;
  actions?: ReactNode;
};

/** The page's only `<h1>`. */
export function PageHeader({ title, description, aside, actions }: PageHeaderProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2.5">
          <h1 className="min-w-0 text-xl font-semibold [overflow-wrap:anywhere]">{title}</h1>
          {aside}
        </div>
        {description ? (
          <p className="mt-0.5 text-sm [overflow-wrap:anywhere] text-muted-foreground">
            {description}
          </p>
        ) : null}
      </div>
      {actions ? (
        <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>
      ) : null}
    </div>
  );
}
