// A choice between few values, all of which can be seen.

interface SegmentsProps {
  label: string
  options: [value: string, title: string][]
  current: string
  onChoose(value: string): void
}

export function Segments({ label, options, current, onChoose }: SegmentsProps) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([value, title]) => (
        <button key={value} type="button" aria-pressed={value === current} onClick={() => onChoose(value)}>
          {title}
        </button>
      ))}
    </div>
  )
}
