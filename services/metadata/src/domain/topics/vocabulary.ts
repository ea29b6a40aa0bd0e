/**
 * Words that indicate a sport or a kind of video. Deliberately few: only words that are more specific than stop words.
 */

/** Terms of one subject: those of its own, and those that it shares with others. */
export type Terms = { readonly sure: readonly string[]; readonly vague: readonly string[] };

/** The 30 sports of the partner's interface. */
export const sportTerms: Readonly<Record<string, Terms>> = {
  tennis: terms(
    'tennis, wimbledon, roland garros, forehand, backhand, deuce, tie break, tiebreak, grand slam, tenis',
    'serve, racket, set point, match point, court, volley',
  ),
  soccer: terms(
    'soccer, goalkeeper, striker, midfielder, offside, penalty kick, free kick, premier league, champions league, la liga, bundesliga, serie a, portero, delantero, fútbol, futbol, fußball, gardien',
    'goal, penalty, corner, referee, football, header, kick off, pitch, crossbar, pass',
  ),
  basketball: terms(
    'basketball, nba, slam dunk, dunk, three pointer, layup, alley oop, free throw, baloncesto, basket',
    'rebound, point guard, buzzer beater, court, quarter, jump shot',
  ),
  cricket: terms(
    'cricket, wicket, wickets, batsman, bowler, lbw, test match, ipl, ashes, googly, stumps',
    'innings, over, overs, century, pitch, bowled, spin',
  ),
  american_football: terms(
    'american football, nfl, touchdown, quarterback, super bowl, field goal, wide receiver, linebacker, end zone',
    'yards, snap, interception, fumble, kickoff, quarter, tackle',
  ),
  australian_football: terms(
    'australian football, afl, aussie rules, behinds, ruckman, mcg',
    'footy, siren, mark, quarter',
  ),
  baseball: terms(
    'baseball, mlb, home run, pitcher, shortstop, outfielder, world series, strikeout, bullpen, beisbol',
    'innings, bat, base, catcher, batter, pitch',
  ),
  lacrosse: terms('lacrosse, crosse, face off, lax', 'midfielder, goalie, stick, cradle'),
  badminton: terms('badminton, shuttlecock, shuttle', 'smash, racket, court, net shot'),
  equestrian: terms(
    'equestrian, dressage, show jumping, showjumping, eventing, steeplechase',
    'horse, rider, jockey, fence, saddle, paddock',
  ),
  golf: terms(
    'golf, golfer, birdie, bogey, fairway, putt, hole in one, ryder cup, pga',
    'green, tee, par, eagle, bunker, caddie',
  ),
  boxing: terms('boxing, boxer, knockout, heavyweight, uppercut, ringside', 'punch, round, ring, jab, hook, bout'),
  mma: terms(
    'mma, ufc, octagon, mixed martial arts, submission hold, rear naked choke',
    'fighter, takedown, knockout, cage, bout, round',
  ),
  formula_one: terms(
    'formula one, formula 1, f1, grand prix, pole position, pit stop, safety car, drs',
    'lap, laps, driver, podium, qualifying, chicane, circuit',
  ),
  ice_hockey: terms(
    'ice hockey, nhl, puck, power play, slap shot, stanley cup, face off, hat trick',
    'goalie, rink, period, hockey, goal',
  ),
  rugby: terms(
    'rugby, scrum, try line, fly half, lineout, six nations, all blacks',
    'try, conversion, tackle, maul, ruck, prop',
  ),
  cycling: terms(
    'cycling, cyclist, peloton, tour de france, velodrome, yellow jersey, giro, vuelta',
    'bike, sprint, breakaway, stage, climb',
  ),
  track_and_field: terms(
    'track and field, athletics, long jump, high jump, pole vault, javelin, shot put, hurdles, 100m, marathon, decathlon',
    'sprint, relay, discus, lap, runner, metres',
  ),
  swimming: terms(
    'swimming, swimmer, freestyle, backstroke, breaststroke, butterfly stroke, medley',
    'pool, lane, relay, lap',
  ),
  gymnastics: terms(
    'gymnastics, gymnast, balance beam, pommel horse, uneven bars, floor exercise, parallel bars',
    'vault, somersault, dismount, routine',
  ),
  table_tennis: terms('table tennis, ping pong, pingpong', 'paddle, topspin, backspin, rally, serve'),
  skiing: terms(
    'skiing, skier, slalom, giant slalom, downhill, super g, ski jumping',
    'snow, slope, piste, gate, powder',
  ),
  snowboarding: terms(
    'snowboarding, snowboard, snowboarder, half pipe, halfpipe, slopestyle',
    'big air, snow, powder, trick',
  ),
  skateboarding: terms(
    'skateboarding, skateboard, skateboarder, kickflip, ollie, skatepark',
    'grind, ramp, trick, rail',
  ),
  surfing: terms('surfing, surfer, surfboard, barrel wave, big wave', 'wave, waves, swell, barrel, reef, surf'),
  wrestling_pro: terms(
    'pro wrestling, professional wrestling, wwe, wrestlemania, body slam, tag team, pinfall',
    'wrestler, wrestling, ring, smackdown, suplex',
  ),
  motocross: terms('motocross, supercross, dirt bike, enduro', 'rider, jump, whoops, berm, holeshot'),
  fencing: terms('fencing, fencer, epee, épée, foil, sabre, riposte, parry', 'lunge, touché, blade'),
  climbing: terms(
    'climbing, climber, bouldering, lead climbing, free solo, belay',
    'wall, rope, crux, hold, holds, summit',
  ),
  pickleball: terms('pickleball, dink, kitchen line', 'paddle, court, rally, serve'),
};

/** The 15 categories of the partner's interface. */
export const categoryTerms: Readonly<Record<string, Terms>> = {
  autos_vehicles: terms(
    'car review, test drive, horsepower, supercar, engine swap, motorbike',
    'car, cars, truck, engine, vehicle, garage, drive',
  ),
  comedy: terms('comedy, stand up, sketch, parody, prank, blooper, bloopers', 'funny, joke, laugh, humor'),
  education: terms(
    'lecture, tutorial for students, lesson, course, explained, curriculum',
    'learn, teach, school, university, class, history',
  ),
  entertainment: terms(
    'red carpet, talk show, celebrity, backstage, reality show',
    'show, interview, star, behind the scenes',
  ),
  film_animation: terms(
    'short film, animation, animated, trailer, film festival',
    'movie, film, scene, director, cartoon',
  ),
  gaming: terms(
    'gameplay, esports, speedrun, playthrough, xbox, playstation, nintendo, minecraft, fortnite',
    'gaming, game, level, console, stream',
  ),
  howto_style: terms(
    'how to, step by step, diy, makeup, recipe, unboxing',
    'tips, guide, style, cook, fashion, workout',
  ),
  music: terms(
    'music video, official video, live concert, album, orchestra, acoustic version',
    'song, music, band, singer, concert, lyrics',
  ),
  news_politics: terms(
    'breaking news, election, parliament, press conference, president, minister',
    'news, report, politics, government, vote',
  ),
  nonprofits: terms(
    'charity, fundraiser, nonprofit, donation, volunteers',
    'foundation, community, donate, campaign, cause',
  ),
  people_blogs: terms('vlog, day in my life, my story, daily vlog', 'life, personal, blog, family, story'),
  pets_animals: terms(
    'puppy, kitten, wildlife, veterinarian, dog training',
    'dog, cat, animal, animals, pet, bird, zoo',
  ),
  science_technology: terms(
    'science, experiment, laboratory, artificial intelligence, spacecraft, smartphone review',
    'technology, research, robot, data, physics, space',
  ),
  sports: terms(
    'highlights, championship, final score, world cup, olympics, league match, half time, full time',
    'match, game, team, coach, player, score, season, final, winner, crowd',
  ),
  travel_events: terms(
    'travel guide, road trip, itinerary, festival, expo',
    'travel, trip, tour, city, hotel, beach, event',
  ),
};

function terms(sure: string, vague = ''): Terms {
  return { sure: words(sure), vague: vague === '' ? [] : words(vague) };
}

function words(list: string): string[] {
  return list.split(',').map((word) => word.trim());
}
