// The shape of what will be shown.

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="hidden">Loading</span>
      {Array.from({ length: lines }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  )
}
