"""How the tests start Java and Spark."""

# Programs that run for seconds: to compile, to tidy up and to verify classes thoroughly would cost more than
# it brings.
QUICK_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)

# For each step of a plan, Spark notes where it was written, and looks whether it is sound.
CHECKS_OF_PLANS = (
    "python.sql.dataFrameDebugging.enabled",
    "sql.dataFrameQueryContext.enabled",
    "sql.lightweightPlanChangeValidation",
)
