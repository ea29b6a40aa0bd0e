-- What the time of the try that ended a job went to: {"fetch": {"fromMs": …, "toMs": …, "ms": …}, "encode": …, "upload": …}.
ALTER TABLE chassis.jobs ADD COLUMN phases jsonb;
