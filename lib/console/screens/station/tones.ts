/*
 * Sounds of the station: a person at a table looks at the goods, and not at the screen. The good tone is high and short,
 * the other one low and double, so that they differ in a loud hall.
 */

type Beep = { readonly hertz: number; readonly from: number; readonly seconds: number };

const beeps: Readonly<Record<'good' | 'bad', readonly Beep[]>> = {
  good: [{ hertz: 1_320, from: 0, seconds: 0.08 }],
  bad: [
    { hertz: 220, from: 0, seconds: 0.16 },
    { hertz: 220, from: 0.22, seconds: 0.16 },
  ],
};

let context: AudioContext | undefined;

const openContext = (): AudioContext | undefined => {
  try {
    context ??= new AudioContext();
  } catch {
    // A computer without a sound device still counts.
  }
  return context;
};

/** Plays a tone. Without a sound device it does nothing. */
export const playTone = (tone: 'good' | 'bad'): void => {
  const audio = openContext();
  if (audio === undefined) return;
  // A browser lets a page sound after the first key only. A scan is one.
  if (audio.state === 'suspended') void audio.resume().catch(() => undefined);
  for (const { hertz, from, seconds } of beeps[tone]) {
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.frequency.value = hertz;
    volume.gain.value = 0.2;
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(audio.currentTime + from);
    oscillator.stop(audio.currentTime + from + seconds);
  }
};
