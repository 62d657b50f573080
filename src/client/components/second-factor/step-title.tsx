type StepTitleProps = { number: 1 | 2 | 3; title: string };

/** Of a step of switching the second factor on. */
export function StepTitle({ number, title }: StepTitleProps) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
      {title}
      <span className="text-sm font-normal text-muted-foreground">{`第 ${number} 步，共 3 步`}</span>
    </p>
  );
}
