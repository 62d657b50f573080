import { isClient } from "@shared/roles.ts";
import { ChevronRight, PackageSearch } from "lucide-react";
import { z } from "zod";
import { EmptyState } from "@/components/empty-state";
import { SearchBox } from "@/components/list-filters";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/cn";
import { useIsMediumScreen } from "@/lib/use-media";
import { useSearchParams } from "@/lib/use-search-params";
import { useCurrentUser } from "@/session/session";
import { CATALOGUE, findProducts, type Product } from "./catalogue";

const CatalogueSearch = z.object({ product: z.string().max(100).catch("") });

const COUNT = Object.values(CATALOGUE).flat().length;

/**
 * What the provider offers, by category. Display only: nothing here is a link. On a client's phone
 * it is folded: who comes for the own hosts need not scroll past it.
 */
export function CatalogueSection() {
  const { role } = useCurrentUser();
  const isMedium = useIsMediumScreen();
  if (!isClient(role) || isMedium) return <Catalogue />;

  return (
    <details className="group/catalogue">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-md border bg-card px-4 shadow-xs [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted-foreground transition-transform group-open/catalogue:rotate-90" />
        <span className="font-medium">云产品</span>
        <span className="ml-auto text-sm text-muted-foreground tabular-nums">{COUNT} 个</span>
      </summary>
      <div className="pt-4">
        <Catalogue />
      </div>
    </details>
  );
}

function Catalogue() {
  const { params, setParams } = useSearchParams(CatalogueSearch);
  const found = findProducts(params.product);
  const isFiltered = params.product.trim() !== "";

  return (
    <section aria-labelledby="catalogue-title" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="catalogue-title" className="text-lg font-semibold">
            云产品
          </h2>
          <p className="text-sm text-muted-foreground">
            UCloud 的 {COUNT} 个产品，按类别排列，仅供查看
          </p>
        </div>
        <SearchBox
          label="筛选云产品"
          placeholder="按名称或代号筛选"
          value={params.product}
          onSearch={(product) => setParams({ product }, { replace: true })}
          className="w-full sm:w-64"
        />
      </div>
      {found.length === 0 ? (
        <EmptyState
          icon={PackageSearch}
          title="没有匹配的产品"
          description={`没有名称或代号包含“${params.product.trim()}”的产品`}
          action={
            <Button variant="outline" onClick={() => setParams({ product: "" }, { replace: true })}>
              清除筛选
            </Button>
          }
        />
      ) : (
        <ul aria-label="产品类别" className="divide-y rounded-md border bg-card shadow-xs">
          {found.map(([name, products]) => (
            <li key={name}>
              {/* A new key for each search: what is found is opened, and closed again after it. */}
              <Category key={params.product} name={name} products={products} isOpen={isFiltered} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type CategoryProps = { name: string; products: readonly Product[]; isOpen: boolean };

/** A line with the first of its products, which opens to all of them. */
function Category({ name, products, isOpen }: CategoryProps) {
  const names = products.map((product) => product.name).join("、");
  return (
    <details open={isOpen} className="group/category">
      <summary className="flex min-h-11 list-none items-center gap-3 px-4 py-2 hover:bg-muted/60 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted-foreground transition-transform group-open/category:rotate-90" />
        <h3 className="shrink-0 text-sm font-medium sm:w-28">{name}</h3>
        <span
          aria-hidden="true"
          className="min-w-0 flex-1 truncate text-sm text-muted-foreground group-open/category:invisible"
        >
          {names}
        </span>
        <span className="shrink-0 text-sm text-muted-foreground tabular-nums">
          {products.length} 个
        </span>
      </summary>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-2 px-4 pt-1 pb-4 md:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))]">
        {products.map((item) => (
          <ProductTile key={item.code} product={item} />
        ))}
      </ul>
    </details>
  );
}

function ProductTile({ product: { name, code, icon: Icon, disabled } }: { product: Product }) {
  return (
    <li
      data-disabled={disabled || undefined}
      className={cn(
        "flex min-w-0 items-center gap-2.5 rounded-md border px-3 py-2.5",
        disabled ? "border-dashed bg-transparent" : "bg-card shadow-xs",
      )}
    >
      <span
        className={cn(
          "grid size-8 shrink-0 place-items-center rounded-sm",
          disabled ? "bg-muted text-subtle-foreground" : "bg-primary-soft text-primary-ink",
        )}
      >
        <Icon className="size-4" />
      </span>
      <span className="min-w-0">
        <span
          className={cn("block leading-5", disabled ? "text-subtle-foreground" : "font-medium")}
        >
          {name}
        </span>
        <span className="flex flex-wrap gap-x-2 text-xs text-muted-foreground">
          <span>{code}</span>
          {disabled ? <span>暂不可用</span> : null}
        </span>
      </span>
    </li>
  );
}
