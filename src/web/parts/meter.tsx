type MeterProps = { label: string; value: number; max: number; text: string }

/** How much is left of something, also in words: `41 of 60 left in this minute`. */
export const Meter = ({ label, value, max, text }: MeterProps) => (
  <div class="meter">
    <span class="meter-label">{label}</span>
    <span class="meter-text">{text}</span>
    <meter aria-label={label} value={value} max={max} low={max * 0.2}>
      {text}
    </meter>
  </div>
)
